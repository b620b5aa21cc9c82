package dev.postroom.engine;

import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import org.jspecify.annotations.Nullable;

/** What is to be recorded about one message, and the message in memory that waits for it. */
sealed interface Settlement {
    RowKey key();

    /** The message, or null when nothing in memory waits for it any more. */
    @Nullable
    Entry entry();

    /**
     * Destinations confirmed it.
     *
     * @param refusal what the database said when it refused to archive it, or null
     */
    record Delivered(
            MessageSettler.Success success,
            @Nullable Entry entry,
            @Nullable String refusal) implements Settlement {

        static Delivered of(Entry entry) {
            return new Delivered(success(entry), entry, null);
        }

        /** Of a message whose lane was lost. */
        static Delivered orphan(Entry entry) {
            return new Delivered(success(entry), null, null);
        }

        private static MessageSettler.Success success(Entry entry) {
            return new MessageSettler.Success(entry.key(), entry.done & entry.route, entry.route);
        }

        @Override
        public RowKey key() {
            return success.key();
        }

        Delivered refusedWith(String error) {
            return new Delivered(success, entry, error);
        }

        Delivered withoutEntry() {
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
            Entry entry,
            @Nullable String refusal,
            boolean diedBefore) implements Settlement {
        /** Plain ASCII and short: whatever was refused, it was not this. */
        private static final String TEXT =
                "the database refused to record this failure, so it is a dead letter; the log says why";

        static Failed of(MessageSettler.Failure failure, Entry entry) {
            return new Failed(failure, entry, null, false);
        }

        @Override
        public RowKey key() {
            return failure.key();
        }

        /** The same failure as the end of the message, with the count that the row has and a text that cannot be refused. */
        Failed asDeadLetter(String error) {
            MessageSettler.Failure dead = new MessageSettler.Failure(
                    failure.key(),
                    failure.version(),
                    failure.epoch(),
                    entry.row.progress().attempts(),
                    null,
                    failure.holdsStream(),
                    failure.confirmed(),
                    new MessageSettler.Cause(failure.cause().reason(), TEXT, null));
            return new Failed(dead, entry, error, failure.retryAfter() == null);
        }
    }

    /** A crash is counted before it is sent, or taken back. */
    record Suspected(MessageSettler.Suspect suspect, Entry entry) implements Settlement {
        @Override
        public RowKey key() {
            return suspect.key();
        }
    }
}
