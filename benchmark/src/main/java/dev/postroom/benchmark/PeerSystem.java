package dev.postroom.benchmark;

import java.util.Locale;

/** The systems that are measured beside each other. */
enum PeerSystem {
    POSTROOM("dev.postroom.benchmark.PostroomPeer", true),
    GRUELBOX("dev.postroom.benchmark.peers.GruelboxPeer", false),
    NAMASTACK("dev.postroom.benchmark.peers.NamastackPeer", true),
    MODULITH("dev.postroom.benchmark.peers.ModulithPeer", false),
    DB_SCHEDULER("dev.postroom.benchmark.peers.DbSchedulerPeer", false);

    /** By name, because the others' classes cannot be loaded here. */
    final String type;

    /** Whether it keeps the order of messages with the same key. */
    final boolean ordered;

    PeerSystem(String type, boolean ordered) {
        this.type = type;
        this.ordered = ordered;
    }

    boolean isOurs() {
        return this == POSTROOM;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
