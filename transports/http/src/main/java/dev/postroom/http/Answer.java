package dev.postroom.http;

import static dev.postroom.FailureReason.DEPENDENCY_FAILURE;
import static dev.postroom.FailureReason.TIMEOUT;
import static dev.postroom.FailureReason.TRANSPORT_UNAVAILABLE;
import static dev.postroom.FailureReason.UNKNOWN;
import static dev.postroom.FailureReason.VALIDATION_FAILURE;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A receiver's answer, and what it means for the message. The table of docs/http.md is this class.
 *
 * @param retryAfter how long it wants to be left alone, if it said so
 */
record Answer(int status, @Nullable Duration retryAfter) {

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** @param said the beginning of the body, for people */
    Outcome outcome(String said) {
        if (isSuccess()) {
            return Outcome.confirmed();
        }
        return switch (status) {
            // Somebody has to correct the URL, the rights or the receiver, and then all of them can go.
            case 401, 403, 404 -> failed(TRANSPORT_UNAVAILABLE, Scope.TOPIC, said);
            case 408 -> failed(TIMEOUT, Scope.UNCLEAR, said);
            case 425 -> failed(DEPENDENCY_FAILURE, Scope.MESSAGE, said);
            // Never about one message: whoever sends the next one now gets the same answer.
            case 429 -> failed(TRANSPORT_UNAVAILABLE, Scope.DESTINATION, said);
            // A gateway without a receiver behind it, most likely; but a message may be what brings it down.
            case 502, 503, 504 -> failed(TRANSPORT_UNAVAILABLE, Scope.UNCLEAR, said);
            default -> other(said);
        };
    }

    private Outcome other(String said) {
        if (status >= 500) {
            return failed(DEPENDENCY_FAILURE, Scope.MESSAGE, said);
        }
        if (status >= 400) {
            return failed(VALIDATION_FAILURE, Scope.MESSAGE, said);
        }
        if (status >= 300) {
            // Following it could lead anywhere, also back into our own network. The messages are not to blame.
            return failed(TRANSPORT_UNAVAILABLE, Scope.TOPIC, "redirects are never followed, correct the url");
        }
        return failed(UNKNOWN, Scope.MESSAGE, said);
    }

    private Outcome failed(FailureReason reason, Scope scope, String said) {
        boolean again = status == 408 || status == 425 || status == 429 || status >= 500;
        String error = "the receiver answered " + status + (said.isEmpty() ? "" : ": " + said);
        return new Outcome.Failed(reason, error, scope, again ? retryAfter : null);
    }
}
