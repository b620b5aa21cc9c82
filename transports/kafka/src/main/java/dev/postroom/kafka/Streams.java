package dev.postroom.kafka;

import dev.postroom.Stream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which streams have records with the producer, and which are broken: a message of theirs failed or was given back, and
 * what was handed over behind it must not go before the relay has heard of that. Each such message keeps those behind it
 * back until it comes again, or until a time has passed in which the relay must have heard. Thread-safe.
 */
final class Streams {
    /** The relay hears of a failure in its next turn, which takes it milliseconds. */
    static final long LINGER = Duration.ofSeconds(1).toNanos();

    private static final int SMALL = 1_024;

    private final Map<Stream, UnderWay> withProducer = new HashMap<>();
    /** Of each stream the messages that failed, and until when each keeps others back. */
    private final Map<Stream, TreeMap<Long, Long>> broken = new HashMap<>();

    private int cleanAt = SMALL;

    /** A stream's records with the producer. */
    private static final class UnderWay {
        private int count;
        /** The highest since there was none; it may have left. */
        private long highest;
    }

    /** Counts a message as with the producer, unless one before it has failed. */
    synchronized boolean enter(Parcel parcel, long now) {
        if (!parcel.stream().isOrdered()) {
            return true;
        }
        TreeMap<Long, Long> failed = broken.get(parcel.stream());
        if (failed != null) {
            failed.values().removeIf(until -> now - until >= 0);
            if (failed.lowerKey(parcel.seq()) != null) {
                return false;
            }
            failed.remove(parcel.seq());
            if (failed.isEmpty()) {
                broken.remove(parcel.stream());
            }
        }
        UnderWay underWay = withProducer.computeIfAbsent(parcel.stream(), s -> new UnderWay());
        underWay.count++;
        underWay.highest = Math.max(underWay.highest, parcel.seq());
        return true;
    }

    /** The producer is done with it. */
    synchronized void leave(Parcel parcel) {
        UnderWay underWay = withProducer.get(parcel.stream());
        if (underWay != null && --underWay.count == 0) {
            withProducer.remove(parcel.stream());
        }
    }

    /**
     * It does not go now, and those behind it do not either. To be called before anybody is told.
     *
     * @param until when the relay has surely heard of it
     * @return whether the producer may have later ones of its stream
     */
    synchronized boolean breakAt(Parcel parcel, long until, long now) {
        if (!parcel.stream().isOrdered()) {
            return false;
        }
        if (broken.size() >= cleanAt) {
            broken.values().removeIf(failed -> failed.values().stream().allMatch(end -> now - end >= 0));
            cleanAt = Math.max(SMALL, 2 * broken.size());
        }
        broken.computeIfAbsent(parcel.stream(), s -> new TreeMap<>()).put(parcel.seq(), until);
        UnderWay underWay = withProducer.get(parcel.stream());
        return underWay != null && underWay.highest > parcel.seq();
    }
}
