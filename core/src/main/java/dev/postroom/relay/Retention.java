package dev.postroom.relay;

import dev.postroom.PostroomException;
import dev.postroom.operations.Maintenance;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long things are kept that delivery does not need any more.
 *
 * @param archive delivered messages; null for not at all
 * @param inbox what consumers remember of messages they have handled
 */
record Retention(@Nullable Duration archive, Duration inbox, Duration audit) {
    static final Duration DEFAULT_ARCHIVE = Duration.ofDays(7);
    static final Duration DEFAULT_INBOX = Duration.ofDays(30);
    /** A year and a month: last year's audit is there when this year's is looked into. */
    static final Duration DEFAULT_AUDIT = Duration.ofDays(400);

    Retention {
        if (archive != null && (archive.isNegative() || archive.isZero())) {
            throw new PostroomException("the retention must be longer than nothing (was " + archive
                    + "): raise postroom.retention, or set it to none (deleteAfterDelivery)");
        }
        if (inbox.isNegative() || inbox.isZero()) {
            throw new PostroomException(
                    "the inbox must be kept longer than nothing (was " + inbox + "): raise inboxRetention");
        }
        if (audit.compareTo(Maintenance.LEAST_AUDIT_AGE) < 0) {
            throw new PostroomException("the audit must be kept for at least " + Maintenance.LEAST_AUDIT_AGE.toDays()
                    + " days (was " + audit + "): raise postroom.audit.retention");
        }
    }

    boolean keepsArchive() {
        return archive != null;
    }

    /** Failed attempts are kept as long as the messages they belong to may be looked at. */
    Duration attempts() {
        return archive == null ? DEFAULT_ARCHIVE : archive;
    }

    /** Also without retention: what an earlier configuration archived must not stay for ever. */
    Duration archived() {
        return archive == null ? DEFAULT_ARCHIVE : archive;
    }
}
