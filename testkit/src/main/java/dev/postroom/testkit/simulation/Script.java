package dev.postroom.testkit.simulation;

/**
 * What a message does to those who send it.
 *
 * @param times how often it fails, where it stops failing after a while
 */
record Script(Kind kind, int times) {
    static final Script NORMAL = new Script(Kind.NORMAL, 0);

    enum Kind {
        NORMAL,
        /** Fails so many times at each destination, then is taken. */
        FAILS,
        /** Is refused for good by every destination. */
        REFUSED,
        /** Breaks the connection, as long as there are faults. */
        BREAKS_CONNECTION,
        /** Kills the process. */
        KILLS,
        /** Is larger than what relays load. */
        TOO_LARGE
    }
}
