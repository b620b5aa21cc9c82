package dev.postroom.testkit;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.function.Consumer;

/** What goes wrong with a delivery; given to a {@link FaultyTransport}. Write your own as a lambda. */
@FunctionalInterface
public interface Fault {

    /** Does to the delivery what is to happen to it, and tells the outcome exactly once. */
    void strike(Delivery delivery, Transport target, Consumer<Outcome> outcome);

    /** The message itself fails: an attempt is spent; a permanent reason makes it a dead letter at once. */
    static Fault failing(FailureReason reason) {
        return answering(new Outcome.Failed(reason, "made to fail", Outcome.Scope.MESSAGE));
    }

    /** The destination is down: it is held and probed, no attempt is spent. */
    static Fault unavailable() {
        return answering(Outcome.unavailable("made to be down"));
    }

    /** The destination cannot take this topic: the topic is held, no attempt is spent. */
    static Fault topicUnavailable() {
        return answering(Outcome.topicUnavailable("made to refuse this topic"));
    }

    /** It fails, and the destination asks to be left alone for so long. */
    static Fault busyFor(Duration retryAfter) {
        return answering(new Outcome.Failed(
                FailureReason.DEPENDENCY_FAILURE, "made to be busy", Outcome.Scope.MESSAGE, retryAfter));
    }

    /** It never arrives, and no answer comes in time. The test does not wait: the relay is told at once. */
    static Fault timingOut() {
        return answering(Outcome.failed(FailureReason.TIMEOUT, "made to time out"));
    }

    /** It arrives, but the confirmation is lost: the relay sends it again, and the destination has it twice. */
    static Fault losingTheConfirmation() {
        return (delivery, target, outcome) -> target.send(
                delivery,
                result -> outcome.accept(
                        result instanceof Outcome.Confirmed
                                ? Outcome.interrupted("made to lose the confirmation")
                                : result));
    }

    /** It arrives, and that takes so long: the clock is set forward. */
    static Fault taking(Duration time, ManualClock clock) {
        return (delivery, target, outcome) -> {
            clock.advance(time);
            target.send(delivery, outcome);
        };
    }

    /** The transport itself is broken. */
    static Fault throwing(RuntimeException error) {
        return (delivery, target, outcome) -> {
            throw error;
        };
    }

    /** It never arrives, and this is the answer. */
    static Fault answering(Outcome answer) {
        return (delivery, target, outcome) -> outcome.accept(answer);
    }
}
