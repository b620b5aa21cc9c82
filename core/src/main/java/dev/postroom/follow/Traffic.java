package dev.postroom.follow;

import dev.postroom.engine.Counts;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stops and opens destinations, and topics there: by what transports answer, and by what operators pause. What a gate closes on
 * leaves memory, to be read again when it opens.
 */
final class Traffic {
    /** Topics and types that one destination holds one by one; with more, it is the destination that is held. */
    private static final int MOST_GATES = 1_000;

    /** Types of which everything fails, likewise: each of them keeps a round of messages to be tried. */
    private static final int MOST_TYPES = 8;

    private final Memory memory;
    private final Function<String, Breaker> newBreaker;
    private final Attempts attempts;
    private final Listener listener;

    /** What a failure costs the message. */
    @FunctionalInterface
    interface Attempts {
        /** Whether it is the last try that the message has, and it dies of having no more. */
        boolean isLast(Delivery delivery, Outcome.Failed failed);
    }

    /** Hears of every change. */
    interface Listener {
        /** A destination is held, or a topic there; with {@code held} false, it flows again. */
        void held(Destination destination, @Nullable Gate gate, boolean held, String why);

        /** A destination or a gate may let through what was missed. */
        void opened(Destination destination);
    }

    /** @param newBreaker makes the breaker of a topic at the destination of this name */
    Traffic(Memory memory, Function<String, Breaker> newBreaker, Attempts attempts, Listener listener) {
        this.memory = memory;
        this.newBreaker = newBreaker;
        this.attempts = attempts;
        this.listener = listener;
    }

    // --- what transports answer ---

    /** The destination has a message, so it is there, and so is its topic. */
    void confirmed(Delivery delivery) {
        Destination destination = delivery.destination();
        Gate gate = destination.closedGate(delivery.message());
        delivery.track().confirmed(delivery);
        destination.noteConfirmed(delivery.message());
        flow(destination, "it confirmed a message");
        if (gate != null) {
            open(destination, gate, "it confirmed a message");
        }
    }

    /** A message failed there, which may be its own fault, or that of the destination or of the topic. */
    void failed(Delivery delivery, Outcome.Failed failed, long now) {
        Destination destination = delivery.destination();
        boolean probed = delivery.isProbe();
        switch (failed.scope()) {
            case MESSAGE -> failedItself(delivery, failed, now);
            case UNCLEAR -> {
                switch (destination.unanswered().blame(delivery, now)) {
                    case MESSAGE -> failedItself(delivery, failed, now);
                    case MESSAGE_FOR_GOOD -> giveUp(delivery, failed, now);
                    case DESTINATION -> {
                        hold(destination, failed, probed, now);
                        delivery.track().returned(delivery);
                    }
                }
            }
            case DESTINATION -> {
                hold(destination, failed, probed, now);
                delivery.track().returned(delivery);
            }
            case TOPIC -> {
                answered(delivery, failed, now);
                holdTopic(delivery, failed, probed, now);
                delivery.track().returned(delivery);
            }
            case NOT_SENT -> {
                endProbe(delivery, now);
                delivery.track().returned(delivery);
            }
        }
    }

    /** It is the message's own fault; or the receiver fails everything, which costs no message anything once that is known. */
    private void failedItself(Delivery delivery, Outcome.Failed failed, long now) {
        Destination destination = delivery.destination();
        Gate gate = destination.closedGate(delivery.message());
        boolean ofType = gate != null && gate.breaker().isFailing();
        if (destination.breaker().isFailing() || ofType) {
            spare(delivery, failed, now);
            return;
        }
        if (delivery.isProbe() && failed.scope() == Outcome.Scope.MESSAGE) {
            answered(delivery, failed, now);
        }
        boolean isLast = !failed.reason().isPermanent() && attempts.isLast(delivery, failed);
        FailureRuns.Verdict verdict =
                destination.runs().failed(delivery, Counts.next(delivery.attemptsBefore()), isLast);
        if (verdict != FailureRuns.Verdict.MESSAGE && isLast) {
            delivery.track().spared(delivery, failed);
        } else {
            delivery.track().failed(delivery, failed);
        }
        if (verdict == FailureRuns.Verdict.TYPE && holdsManyTypes(destination)) {
            verdict = FailureRuns.Verdict.DESTINATION;
        }
        if (verdict == FailureRuns.Verdict.DESTINATION) {
            String why = "it fails everything: " + destination.runs().length() + " failures in a row, the last: "
                    + failed.error();
            if (destination.breaker().openForFailing(failed, why, now)) {
                listener.held(destination, null, true, why);
            }
        } else if (verdict == FailureRuns.Verdict.TYPE) {
            String type = delivery.message().type();
            String why = "it fails everything of this type: "
                    + destination.runs().length(type) + " failures in a row, the last: " + failed.error();
            holdGate(destination, Gate.Kind.TYPE, type, new Opening(failed, false, why), now);
        }
    }

    /** The message is at its end. Whether the destination is there, nobody knows yet: whoever comes next is tried with. */
    private void giveUp(Delivery delivery, Outcome.Failed failed, long now) {
        hold(delivery.destination(), failed, delivery.isProbe(), now);
        Duration limit = Objects.requireNonNull(delivery.message().topic().expireAfter());
        String error = "never answered within " + limit.toSeconds() + " s (expire-after), the last: " + failed.error();
        delivery.track().gaveUp(delivery, new Outcome.Failed(failed.reason(), error, failed.scope()));
    }

    private static boolean holdsManyTypes(Destination destination) {
        return destination.closedGates().stream()
                        .filter(gate -> gate.kind() == Gate.Kind.TYPE)
                        .count()
                >= MOST_TYPES;
    }

    /** One that was tried waits for a while and makes room for others to be tried; what was on the wire when the rest was stopped stays. */
    private void spare(Delivery delivery, Outcome.Failed failed, long now) {
        if (!delivery.isProbe()) {
            delivery.track().returned(delivery);
            return;
        }
        Destination destination = delivery.destination();
        Gate gate = destination.closedGate(delivery.message());
        if (destination.isHeld()) {
            destination.breaker().open(failed, true, now);
        }
        if (gate != null) {
            gate.breaker().open(failed, true, now);
        }
        destination.runs().stillFails(delivery);
        delivery.track().spared(delivery, failed);
    }

    /** It answers, so it is there: unless an answer says nothing about whether anything can get through. */
    private void answered(Delivery delivery, Outcome.Failed failed, long now) {
        Destination destination = delivery.destination();
        if (destination.breaker().isFailing()) {
            destination.breaker().open(failed, delivery.isProbe(), now);
        } else {
            flow(destination, "it answers again");
        }
    }

    private void endProbe(Delivery delivery, long now) {
        if (delivery.isProbe()) {
            Destination destination = delivery.destination();
            Gate gate = destination.closedGate(delivery.message());
            if (destination.isHeld()) {
                destination.breaker().probeReturned(now);
            }
            if (gate != null) {
                gate.breaker().probeReturned(now);
            }
        }
    }

    private void hold(Destination destination, Outcome.Failed failed, boolean probed, long now) {
        if (destination.breaker().open(failed, probed, now)) {
            listener.held(destination, null, true, failed.error());
        }
    }

    /** An operator says that it is well again: what failed everything flows, and what was down is tried at once. */
    void goOn(Destination destination) {
        destination.runs().beginAgain();
        destination.breaker().tryAtOnce();
        if (destination.breaker().isFailing()) {
            flow(destination, "an operator resumed it");
        }
        for (Gate gate : destination.closedGates()) {
            gate.breaker().tryAtOnce();
            if (gate.breaker().isFailing()) {
                open(destination, gate, "an operator resumed it");
            }
        }
    }

    private void flow(Destination destination, String why) {
        if (destination.breaker().close()) {
            destination.closedGates().forEach(gate -> gate.breaker().tryAtOnce());
            listener.held(destination, null, false, why);
            listener.opened(destination);
        }
    }

    private void holdTopic(Delivery delivery, Outcome.Failed failed, boolean probed, long now) {
        Destination destination = delivery.destination();
        String topic = delivery.message().topic().name();
        holdGate(destination, Gate.Kind.TOPIC, topic, new Opening(failed, probed, null), now);
    }

    /**
     * Why a breaker opens.
     *
     * @param failing what is said of a receiver that fails everything, or null
     */
    private record Opening(
            Outcome.Failed failed, boolean probed, @Nullable String failing) {}

    private void holdGate(Destination destination, Gate.Kind kind, String name, Opening why, long now) {
        Gate known = destination.gate(kind, name);
        if (known == null && destination.gates().size() >= MOST_GATES) {
            hold(destination, why.failed, why.probed, now);
            return;
        }
        Gate gate = known == null ? newGate(destination, kind, name) : known;
        boolean wasClosed = gate.isClosed();
        boolean news = why.failing == null
                ? gate.breaker().open(why.failed, why.probed, now)
                : gate.breaker().openForFailing(why.failed, why.failing, now);
        if (news) {
            listener.held(destination, gate, true, gate.breaker().why());
        }
        if (!wasClosed) {
            closed(destination, gate);
        }
    }

    private void open(Destination destination, Gate gate, String why) {
        if (gate.breaker().close()) {
            listener.held(destination, gate, false, why);
            opened(destination, gate);
        }
    }

    // --- what operators pause ---

    void pause(Destination destination, String by) {
        destination.pause(by);
    }

    void resume(Destination destination) {
        if (destination.isPaused()) {
            destination.resume();
            listener.opened(destination);
        }
    }

    void pause(Destination destination, String topic, String by) {
        Gate known = destination.gate(Gate.Kind.TOPIC, topic);
        Gate gate = known == null ? newGate(destination, Gate.Kind.TOPIC, topic) : known;
        if (gate.pausedBy() == null) {
            gate.pause(by);
            closed(destination, gate);
        }
    }

    void resume(Destination destination, String topic) {
        Gate gate = destination.gate(Gate.Kind.TOPIC, topic);
        if (gate != null && gate.pausedBy() != null) {
            gate.resume();
            opened(destination, gate);
        }
    }

    // --- gates ---

    private Gate newGate(Destination destination, Gate.Kind kind, String name) {
        return destination.gate(kind, name, newBreaker.apply(destination.name()));
    }

    private void opened(Destination destination, Gate gate) {
        if (gate.isClosed()) {
            return;
        }
        List<Delivery> kept = List.copyOf(gate.present());
        kept.forEach(gate::forget);
        kept.forEach(Delivery::gateOpened);
        kept.stream().filter(Delivery::mayGo).forEach(destination::lineUp);
        destination.forgetOpenGates();
        listener.opened(destination);
    }

    /**
     * What was not sent leaves memory, and later messages of its streams with it, apart from one that the breaker keeps to be tried. What
     * is on the wire is dealt with when it comes back.
     */
    private void closed(Destination destination, Gate gate) {
        List<Delivery> unsent = new ArrayList<>();
        for (Message message : memory.messages()) {
            Delivery delivery = gate.guards(message) ? message.at(destination) : null;
            if (delivery != null && delivery.isSent()) {
                gate.keep(delivery);
            } else if (delivery != null && delivery.isQueued()) {
                gate.forget(delivery);
                unsent.add(delivery);
            }
        }
        unsent.sort(Comparator.comparingLong(Delivery::seq));
        for (Delivery delivery : unsent) {
            if (delivery.isGone()) {
                continue; // put off together with an earlier one of its stream
            }
            if (gate.isShut(!delivery.message().isReady())) {
                delivery.track().putOff(delivery, gate);
            } else {
                destination.stepBack(delivery);
                gate.keep(delivery);
                delivery.track().putOffBehind(delivery, gate);
            }
        }
    }
}
