package dev.postroom.operations;

import java.util.Locale;

/** What an operator can do to chosen messages. Each raises the row's version, so that no relay overwrites it. */
public enum Change {
    /** Live and failed or dead: due now, with fresh attempts and crashes, not dead. */
    RETRY,
    /** Live and not dead: a dead letter from now on. */
    DEAD_LETTER,
    /** Live: leaves its stream and is archived as skipped. */
    SKIP,
    /** Live and dead, or archived: gone for good. */
    DELETE,
    /** Live and keyed: goes on out of its stream's order, and holds nobody any more. */
    RELEASE;

    /** As it is written in commands, REST and audit: {@code dead-letter}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
