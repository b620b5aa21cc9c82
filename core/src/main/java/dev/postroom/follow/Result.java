package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.engine.Counts;
import dev.postroom.engine.HeldLane;
import dev.postroom.engine.Settlement;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be recorded about one message at once: there is never more than one on its way to the database. */
final class Result implements Settlement.Subject {
    private final Message message;
    private final List<Delivery> confirmed;
    private final List<Delivery> failed;

    private Result(Message message, List<Delivery> confirmed, List<Delivery> failed) {
        this.message = message;
        this.confirmed = confirmed;
        this.failed = failed;
    }

    /** What its deliveries have come to, handed over; null if that is nothing, or something is on its way already. */
    static @Nullable Result of(Message message) {
        if (message.isBeingCounted()) {
            return null;
        }
        List<Delivery> confirmed = new ArrayList<>(1);
        List<Delivery> failed = new ArrayList<>(0);
        for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
            if (delivery.isSettling()) {
                return null;
            }
            if (delivery.isConfirmed()) {
                confirmed.add(delivery);
            } else if (delivery.isFailing()) {
                failed.add(delivery);
            }
        }
        if (confirmed.isEmpty() && failed.isEmpty()) {
            return null;
        }
        confirmed.forEach(Delivery::handedOver);
        failed.forEach(Delivery::handedOver);
        return new Result(message, confirmed, failed);
    }

    Message message() {
        return message;
    }

    List<Delivery> failed() {
        return failed;
    }

    boolean isFailure() {
        return !failed.isEmpty();
    }

    /** Bits of the destinations that confirmed it. */
    long confirmed() {
        long bits = 0;
        for (Delivery delivery : confirmed) {
            bits |= delivery.destination().mask();
        }
        return bits;
    }

    /** Which version of the row a failure is to be written over. */
    int version() {
        int version = 0;
        for (Delivery delivery : failed) {
            version = Math.max(version, delivery.version());
        }
        return version;
    }

    void recorded() {
        message.arrivedAt(confirmed());
        // With what had been set aside before: a read that began earlier does not know of that either.
        message.lane().memory().settledAside(key().id(), confirmedSoFar());
        if (isFailure()) {
            message.failedTo(attempts());
            message.raiseVersion(version());
        }
        confirmed.forEach(Result::settled);
        failed.forEach(Result::settled);
    }

    private static void settled(Delivery delivery) {
        if (!delivery.isGone()) {
            delivery.track().settled(delivery);
        }
    }

    /** The failure was not recorded, and nothing with it: what was confirmed happened all the same, and is handed over again. */
    void stale() {
        confirmed.forEach(Delivery::handedBack);
        for (Delivery delivery : failed) {
            if (!delivery.isGone()) {
                delivery.track().stale(delivery);
            }
        }
    }

    // --- what the settler asks ---

    @Override
    public RowKey key() {
        return message.key();
    }

    @Override
    public HeldLane lane() {
        return message.lane();
    }

    @Override
    public boolean isPresent() {
        return !message.lane().isLost() && failed.stream().noneMatch(Delivery::isGone);
    }

    @Override
    public StoredMessage row() {
        return message.row().message();
    }

    @Override
    public @Nullable String failedAt() {
        return isFailure() && decisive().wasSent() ? decisive().destination().name() : null;
    }

    @Override
    public MessageSettler.Success success() {
        return new MessageSettler.Success(key(), confirmedSoFar(), message.route());
    }

    /** With what was confirmed before: that may have been set aside, and nobody knows of it yet. */
    long confirmedSoFar() {
        return (confirmed() | message.arrived()) & message.route();
    }

    /** Of several failures a permanent one decides, and one that spends an attempt before others. */
    Delivery decisive() {
        Delivery decisive = failed.get(0);
        for (Delivery delivery : failed) {
            if (delivery.isFatal()) {
                return delivery;
            }
            decisive = decisive.isSpared() ? delivery : decisive;
        }
        return decisive;
    }

    /** Whether it failed only where everything fails. */
    boolean isSpared() {
        return decisive().isSpared();
    }

    /** How many attempts the row has seen with this failure: what failed in two places at once is one. */
    int attempts() {
        int attempts = message.attempts();
        for (Delivery delivery : failed) {
            boolean spent = !delivery.isSpared() && delivery.failure().reason() != FailureReason.POISON;
            attempts = Math.max(attempts, spent ? Counts.next(delivery.attemptsBefore()) : 0);
        }
        return attempts;
    }
}
