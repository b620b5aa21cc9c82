package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A message's status as people see it: the first of these, in this order, that fits. */
public enum MessageStatus {
    /** Delivered, and kept in the archive. */
    PROCESSED,
    /** Skipped by an operator, and kept in the archive. */
    SKIPPED,
    /** A dead letter. */
    DEAD,
    /** A relay is sending it now. */
    IN_FLIGHT,
    /** To be delivered or tried again later. */
    SCHEDULED,
    /** Waits behind an earlier message of its stream that failed or is dead. */
    BLOCKED,
    /** To be sent next. */
    PENDING,
    /** Only as a filter: has failed at least once and is not dead. */
    FAILED;

    /** As it is written in commands, REST and the view {@code postroom_readable}: {@code in-flight}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The status with this label. */
    public static MessageStatus of(String label) {
        for (MessageStatus status : values()) {
            if (status.label().equals(label)) {
                return status;
            }
        }
        throw new PostroomException("there is no status '" + label + "': use one of "
                + Arrays.stream(values()).map(MessageStatus::label).collect(Collectors.joining(", ")));
    }

    /** Whether such messages are in the archive rather than in the live table. */
    public boolean isArchived() {
        return this == PROCESSED || this == SKIPPED;
    }
}
