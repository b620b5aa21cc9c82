package dev.postroom.engine;

import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import org.jspecify.annotations.Nullable;

/** What is to be recorded about one message, and the message in memory that waits for it. */
public sealed interface Settlement {
    RowKey key();

    /** The message, or null when nothing in memory waits for it any more. */
    @Nullable
    Subject subject();

    /** A message that waits for its outcome to be recorded. */
    interface Subject {
        RowKey key();

        HeldLane lane();

        /** Whether it is in memory still: its lane may have gone, or somebody changed the row. */
        boolean isPresent();

        StoredMessage row();

        /** Where it failed, or null if no destination was involved. */
        @Nullable
        String failedAt();

        /** What destinations have confirmed of it. */
        MessageSettler.Success success();
    }

    /**
     * Destinations confirmed it.
     *
     * @param refusal what the database said when it refused to archive it, or null
     */
    record Delivered(
            MessageSettler.Success success,
            @Nullable Subject subject,
            @Nullable String refusal) implements Settlement {

        public static Delivered of(Subject subject) {
            return new Delivered(subject.success(), subject, null);
        }

        @Override
        public RowKey key() {
            return success.key();
        }

        public Delivered refusedWith(String error) {
            return new Delivered(success, subject, error);
        }

        public Delivered withoutSubject() {
            return new Delivered(success, null, refusal);
        }
    }

    /**
     * It failed.
     *
     * @param refusal what the database said when it refused to record it as it was, or null
     * @param diedBefore whether it was to be a dead letter even then
     */
    record Failed(
            MessageSettler.Failure failure,
            Subject subject,
            @Nullable String refusal,
            boolean diedBefore) implements Settlement {
        /** Plain ASCII and short: whatever was refused, it was not this. */
        private static final String TEXT =
                "the database refused to record this failure, so it is a dead letter; the log says why";

        public static Failed of(MessageSettler.Failure failure, Subject subject) {
            return new Failed(failure, subject, null, false);
        }

        @Override
        public RowKey key() {
            return failure.key();
        }

        /** What is left of it when the failure counts no more: where the message had been confirmed. Null if that is nowhere. */
        public @Nullable Delivered confirmedOnly() {
            return failure.confirmed() == 0 ? null : new Delivered(subject.success(), null, null);
        }

        /** The same failure as the end of the message, with the count that the row has and a text that cannot be refused. */
        public Failed asDeadLetter(String error) {
            MessageSettler.Failure dead = new MessageSettler.Failure(
                    failure.key(),
                    failure.version(),
                    failure.epoch(),
                    subject.row().progress().attempts(),
                    null,
                    failure.holdsStream(),
                    failure.confirmed(),
                    new MessageSettler.Cause(failure.cause().reason(), TEXT, null));
            return new Failed(dead, subject, error, failure.retryAfter() == null);
        }
    }

    /** A crash is counted before it is sent, or taken back. */
    record Suspected(MessageSettler.Suspect suspect, Subject subject) implements Settlement {
        @Override
        public RowKey key() {
            return suspect.key();
        }
    }
}
