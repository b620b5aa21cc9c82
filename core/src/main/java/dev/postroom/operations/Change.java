package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

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

    /** The change with this label. */
    public static Change of(String label) {
        for (Change change : values()) {
            if (change.label().equals(label)) {
                return change;
            }
        }
        throw new PostroomException("there is no action '" + label + "': use one of "
                + Arrays.stream(values()).map(Change::label).collect(Collectors.joining(", ")));
    }
}
