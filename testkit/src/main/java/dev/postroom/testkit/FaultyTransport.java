package dev.postroom.testkit;

import dev.postroom.PostroomException;
import dev.postroom.policy.TopicPattern;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Passes deliveries on to another transport, except those that a test wants to go wrong. Of several faults that are meant for
 * a delivery, the one that was given first strikes. Order is never changed. Thread-safe.
 *
 * <pre>{@code
 * faults.next(2, Fault.failing(FailureReason.DEPENDENCY_FAILURE));   // the next two sends fail
 * faults.onTopic("payments.*", Fault.topicUnavailable());            // until heal()
 * faults.when(delivery -> "42".equals(delivery.key()), Fault.losingTheConfirmation());
 * }</pre>
 */
public final class FaultyTransport implements Transport {
    private static final int ALWAYS = Integer.MAX_VALUE;

    private final Transport target;
    private final List<Planned> plan = new ArrayList<>();

    private static final class Planned {
        final Predicate<Delivery> victims;
        final Fault fault;
        int left;

        Planned(Predicate<Delivery> victims, Fault fault, int times) {
            this.victims = victims;
            this.fault = fault;
            this.left = times;
        }
    }

    private FaultyTransport(Transport target) {
        this.target = target;
    }

    /** Passes everything on, for now. */
    public static FaultyTransport around(Transport target) {
        return new FaultyTransport(target);
    }

    /** The next send, after those already planned. */
    public FaultyTransport next(Fault fault) {
        return next(1, fault);
    }

    /** The next so many sends, after those already planned; a message that is tried again is one more send. */
    public FaultyTransport next(int sends, Fault fault) {
        if (sends < 1) {
            throw new PostroomException("a fault strikes at least one send (was " + sends + ")");
        }
        return plan(delivery -> true, fault, sends);
    }

    /** Every send, until {@link #heal()}. */
    public FaultyTransport always(Fault fault) {
        return plan(delivery -> true, fault, ALWAYS);
    }

    /** Every send of a topic, until {@link #heal()}; {@code *} is one word of it, {@code **} any number. */
    public FaultyTransport onTopic(String pattern, Fault fault) {
        Predicate<String> topics = new TopicPattern(pattern).matcher();
        return when(delivery -> topics.test(delivery.topic()), fault);
    }

    /** Every such send, until {@link #heal()}. */
    public FaultyTransport when(Predicate<Delivery> victims, Fault fault) {
        return plan(victims, fault, ALWAYS);
    }

    private FaultyTransport plan(Predicate<Delivery> victims, Fault fault, int times) {
        synchronized (plan) {
            plan.add(new Planned(victims, fault, times));
        }
        return this;
    }

    /** Nothing goes wrong any more. */
    public void heal() {
        synchronized (plan) {
            plan.clear();
        }
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        Fault fault = faultFor(delivery);
        if (fault == null) {
            target.send(delivery, outcome);
        } else {
            fault.strike(delivery, target, outcome);
        }
    }

    private @Nullable Fault faultFor(Delivery delivery) {
        synchronized (plan) {
            for (Planned planned : plan) {
                if (planned.left > 0 && planned.victims.test(delivery)) {
                    planned.left -= planned.left == ALWAYS ? 0 : 1;
                    return planned.fault;
                }
            }
            return null;
        }
    }

    @Override
    public boolean keepsOrder() {
        return target.keepsOrder();
    }

    @Override
    public int capacity() {
        return target.capacity();
    }

    @Override
    public String description() {
        return "faults before " + target.description();
    }

    @Override
    public Secrets secrets() {
        return target.secrets();
    }

    @Override
    public void close() {
        target.close();
    }
}
