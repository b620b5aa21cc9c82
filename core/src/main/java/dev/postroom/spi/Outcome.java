package dev.postroom.spi;

import dev.postroom.FailureReason;
import dev.postroom.secrets.Secrets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of a delivery. */
public sealed interface Outcome {

    /** The destination has it, for good. */
    record Confirmed() implements Outcome {}

    /**
     * It was not delivered, or nobody knows.
     *
     * @param error what happened, for people; without payload or credentials
     * @param retryAfter how long the destination asked to be left alone, or null; the relay's own schedule may be longer
     */
    record Failed(
            FailureReason reason,
            String error,
            Scope scope,
            @Nullable Duration retryAfter) implements Outcome {
        /** A destination may ask for any time, but no clock and no database has a year 300,000. */
        private static final Duration LONGEST = Duration.ofDays(3_650);

        public Failed {
            // Often what an exception says, which may be nothing; without a text nobody could record the failure.
            error = Objects.requireNonNullElse(error, "it failed without saying why");
        }

        public Failed(FailureReason reason, String error, Scope scope) {
            this(reason, error, scope, null);
        }

        /** The same, with nothing in its text that must not be told. */
        public Failed hiding(Secrets secrets) {
            return new Failed(reason, secrets.hide(error), scope, retryAfter);
        }

        /** The longer of what the destination asked for, ten years at most, and the relay's own schedule. */
        public Duration atLeast(Duration schedule) {
            if (retryAfter == null || retryAfter.compareTo(schedule) < 0) {
                return schedule;
            }
            return retryAfter.compareTo(LONGEST) > 0 ? LONGEST : retryAfter;
        }
    }

    /** What a failure tells about. */
    enum Scope {
        /** This message only: the attempt counts. */
        MESSAGE,
        /** The topic at this destination (unknown, unroutable, not allowed): the topic is held, no attempt is spent. */
        TOPIC,
        /** The destination (connection, authentication, blocked): all of it is held, no attempt is spent. */
        DESTINATION,
        /**
         * Unknown (a timeout, a connection that broke while sending): it counts for the message if the destination
         * confirmed something else since the last such failure, and else against the destination.
         */
        UNCLEAR,
        /** Nothing at all: it never left, and may go again as soon as its lane is known to be ours. */
        NOT_SENT
    }

    /** The destination has it, for good. */
    static Outcome confirmed() {
        return new Confirmed();
    }

    /** This message failed; {@link FailureReason#isPermanent() permanent} reasons end its life. */
    static Outcome failed(FailureReason reason, String error) {
        return new Failed(reason, error, reason == FailureReason.TIMEOUT ? Scope.UNCLEAR : Scope.MESSAGE);
    }

    /** The destination cannot be reached. */
    static Outcome unavailable(String error) {
        return new Failed(FailureReason.TRANSPORT_UNAVAILABLE, error, Scope.DESTINATION);
    }

    /** The destination cannot take anything of this topic. */
    static Outcome topicUnavailable(String error) {
        return new Failed(FailureReason.TRANSPORT_UNAVAILABLE, error, Scope.TOPIC);
    }

    /** It was not put on the wire, because its deadline had passed or the relay stops. */
    static Outcome notSent(String why) {
        return new Failed(FailureReason.TRANSPORT_UNAVAILABLE, why, Scope.NOT_SENT);
    }

    /** The connection broke while this was under way. */
    static Outcome interrupted(String error) {
        return new Failed(FailureReason.TRANSPORT_UNAVAILABLE, error, Scope.UNCLEAR);
    }
}
