package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.engine.Counts;
import dev.postroom.spi.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends what may go now: each destination takes the deliveries whose turn it is, as long as it flows, the relay trusts that
 * the lane is its own, and what becomes of them can be recorded.
 */
final class Sending {
    private final Turn turn;
    private final Collection<Destination> destinations;
    private final Settling settling;
    private final Suspects suspects;
    private final Runnable needReservation;
    /** Out of their lines because their lane, or the settler, keeps them back. */
    private List<Delivery> waiting = new ArrayList<>();

    private boolean lookAgain;
    private boolean pausesKnown;

    Sending(
            Turn turn,
            Collection<Destination> destinations,
            Settling settling,
            Suspects suspects,
            Runnable needReservation) {
        this.turn = turn;
        this.destinations = destinations;
        this.settling = settling;
        this.suspects = suspects;
        this.needReservation = needReservation;
    }

    /** Nothing is sent before it is known what is paused. */
    void pausesAreKnown() {
        pausesKnown = true;
    }

    /** Lanes were renewed or reserved, or outcomes can be recorded again. */
    void lookAgain() {
        lookAgain = true;
    }

    void turn() {
        if (!pausesKnown || turn.isStopping() || !settling.canRecord()) {
            return;
        }
        if (suspects.isAnyThrough() || lookAgain) {
            lookAgain = false;
            lineUpAgain();
        }
        for (Destination destination : destinations) {
            if (destination.isFlowing()) {
                sendAll(destination);
            } else if (!destination.isPaused()) {
                tryOut(destination);
            }
            if (!destination.isPaused() && destination.hasGates()) {
                tryGates(destination);
            }
        }
    }

    private void lineUpAgain() {
        List<Delivery> all = waiting;
        waiting = new ArrayList<>();
        for (Delivery delivery : all) {
            if (delivery.mayGo()) {
                delivery.destination().lineUp(delivery);
            }
        }
    }

    private void sendAll(Destination destination) {
        Delivery delivery;
        while (destination.credit().isLeft(turn.nanos())
                && (delivery = destination.line().poll()) != null) {
            if (maySend(delivery)) {
                send(delivery, false);
            } else if (delivery.mayGo()) {
                waiting.add(delivery);
            }
        }
    }

    /**
     * One after the other, each time the first that stands in line: what comes back goes to its end. Of a destination that fails
     * everything, the first and the last in turn: many bad ones must not hide the good ones behind them.
     */
    private void tryOut(Destination destination) {
        for (int left = destination.line().size(); left > 0 && mayTry(destination); left--) {
            boolean last = destination.breaker().isFailing() && left % 2 == 0;
            Delivery delivery =
                    last ? destination.line().pollLast() : destination.line().poll();
            if (delivery == null) {
                return;
            }
            if (maySend(delivery)) {
                send(delivery, true);
            } else if (delivery.mayGo()) {
                destination.lineUp(delivery);
            }
        }
    }

    private boolean mayTry(Destination destination) {
        return destination.mayTry(turn.nanos()) && destination.credit().isLeft(turn.nanos());
    }

    private void tryGates(Destination destination) {
        for (Gate gate : destination.closedGates()) {
            Delivery delivery = gate.toTry();
            while (delivery != null
                    && destination.lets(delivery, turn.nanos())
                    && destination.credit().isLeft(turn.nanos())
                    && maySend(delivery)) {
                send(delivery, true);
                delivery = gate.toTry();
            }
        }
    }

    private boolean maySend(Delivery delivery) {
        Message message = delivery.message();
        Lane lane = message.lane();
        if (lane.isLeaving() || !lane.isTrusted(turn.nanos())) {
            return false;
        }
        String defect = message.row().message().defect();
        if (defect != null) {
            delivery.track()
                    .failed(delivery, new Outcome.Failed(FailureReason.SERIALIZATION, defect, Outcome.Scope.MESSAGE));
            settling.collect(message);
            return false;
        }
        if (!lane.isReserved(message.seq())) {
            needReservation.run();
            return false;
        }
        return !message.isSuspect() || suspects.mayGo(delivery);
    }

    private void send(Delivery delivery, boolean asProbe) {
        Message message = delivery.message();
        Lane lane = message.lane();
        delivery.track().sent(delivery, asProbe, turn.nanos());
        delivery.destination().credit().take(turn.nanos());
        lane.moved(turn.nanos());
        var row = message.row().message();
        turn.give(new Command.Send(
                delivery.destination().name(),
                message.key(),
                new dev.postroom.spi.Delivery(
                        message.key().id(),
                        message.seq(),
                        row.stream(),
                        row.content(),
                        row.createdAt(),
                        Counts.next(message.attempts()),
                        lane.trustedUntil())));
    }

    /** When the next probe is due, by the engine's clock. One that is due already waits for its lane or the settler, who say when they are ready. */
    long nextTurn() {
        long next = Long.MAX_VALUE;
        for (Destination destination : destinations) {
            if (destination.isFlowing() && destination.line().size() > 0) {
                next = Math.min(next, destination.credit().next());
            }
            if (destination.isHeld()
                    && destination.onTheWire() == 0
                    && destination.line().size() > 0) {
                next = Math.min(next, ahead(destination.breaker().nextProbe()));
            }
            for (Gate gate : destination.closedGates()) {
                if (gate.isProbed() && gate.toTry() != null && destination.isFlowing()) {
                    next = Math.min(next, ahead(gate.breaker().nextProbe()));
                }
            }
        }
        return next;
    }

    private long ahead(long time) {
        return time - turn.nanos() > 0 ? time : Long.MAX_VALUE;
    }

    /** What has left memory. */
    void forget(@Nullable Lane lane) {
        waiting.removeIf(delivery -> delivery.isGone() || delivery.message().lane() == lane);
    }
}
