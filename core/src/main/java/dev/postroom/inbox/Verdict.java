package dev.postroom.inbox;

import dev.postroom.FailureReason;
import java.time.Duration;

/** What a consumer has to do with a message that it gave to a {@link Reception}. */
public sealed interface Verdict {

    /** It is done: acknowledge it. */
    record Done(Handling handling) implements Verdict {}

    /**
     * It failed, and is to be tried again.
     *
     * @param attempt the number of the next try
     * @param delay how long to wait before it
     */
    record Again(int attempt, Duration delay, FailureReason reason, String error) implements Verdict {}

    /** It failed for good: put it where somebody looks, then acknowledge it. */
    record Dead(int attempts, FailureReason reason, String error) implements Verdict {}

    /** It was not tried, and nobody knows more about it than before: keep it, and ask again a little later. */
    record NotNow(String error) implements Verdict {}
}
