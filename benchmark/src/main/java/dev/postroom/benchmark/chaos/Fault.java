package dev.postroom.benchmark.chaos;

import java.util.Locale;

/** A kind of trouble. */
enum Fault {
    /** A relay is killed (-9), and another started. */
    KILL,
    /** A relay stands still for longer than its lease, and goes on as if nothing had been. */
    STOP,
    /** All connections to the database break, also between a commit and its answer, and nobody can connect for a while. */
    DB,
    /** The broker is killed (-9), and started again on its data. */
    BROKER,
    /** A relay's clock is set, minutes forwards or backwards. */
    CLOCK;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
