package dev.postroom.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one channel has been sent ahead, in its order, until it is handled. A message that the broker may soon drop, because it
 * has come so often in vain, is renewed as soon as it arrives: behind a handler that never ends, or that ends the process, its
 * turn would not come. Thread-safe: one thread adds, one handles, one ends.
 */
final class Arrivals {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqInbox.class);

    private final Consumption consumption;
    private final Channel channel;
    private final Deque<Delivery> ahead = new ArrayDeque<>();
    private int beingRenewed;
    private boolean handling;
    private boolean over;

    Arrivals(Consumption consumption, Channel channel) {
        this.consumption = consumption;
        this.channel = channel;
    }

    synchronized void add(Delivery delivery) {
        report(delivery);
        if (!over
                && ReturnedAmqp.deliveredInVain(delivery.getProperties())
                        >= consumption.traits().renewedFrom()) {
            beingRenewed++;
            consumption.moves().after(0, () -> renew(delivery));
        } else {
            ahead.add(delivery);
            notifyAll();
        }
    }

    /** It comes again behind all others. */
    private void renew(Delivery delivery) {
        consumption
                .moves()
                .move(
                        delivery,
                        consumption.settings().queue(),
                        () -> {
                            channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                            renewed();
                        },
                        () -> refused(delivery));
    }

    private synchronized void renewed() {
        beingRenewed--;
        notifyAll();
    }

    /** The queue may be full, and handling the message is what empties it. */
    private synchronized void refused(Delivery delivery) {
        ahead.addFirst(delivery);
        renewed();
    }

    /**
     * The next to handle, when there is one; null when there will be none. Whoever gets one asks for the next when it has been
     * settled, or leaves. Nothing is begun before what arrived with it is renewed, because the handler may end the process.
     */
    synchronized @Nullable Delivery begin() throws InterruptedException {
        handling = false;
        notifyAll();
        while (!over && (ahead.isEmpty() || beingRenewed > 0)) {
            wait();
        }
        if (over) {
            return null;
        }
        handling = true;
        return ahead.remove();
    }

    /** No more is handled. */
    synchronized void leave() {
        handling = false;
        notifyAll();
    }

    /** Lets nothing more begin, and gives what has not begun. */
    synchronized List<Delivery> end() {
        over = true;
        notifyAll();
        List<Delivery> untouched = new ArrayList<>(ahead);
        ahead.clear();
        return untouched;
    }

    /**
     * Gives back what no handler has seen, where that does not count as a delivery in vain. Else it goes back with its channel,
     * which keeps its place in the queue.
     */
    void giveBack(List<Delivery> untouched) throws IOException {
        if (consumption.broker().forgivesNack() && channel.isOpen()) {
            for (Delivery delivery : untouched) {
                channel.basicNack(delivery.getEnvelope().getDeliveryTag(), false, true);
            }
        }
    }

    synchronized boolean areOver() {
        return over;
    }

    /** Waits until nothing is being handled, but no longer than this. */
    synchronized void awaitIdle(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; handling && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }

    private void report(Delivery delivery) {
        long delivered = ReturnedAmqp.delivered(delivery.getProperties());
        if (delivered >= consumption.traits().notableFrom()
                && consumption.warned().compareAndSet(false, true)) {
            LOG.warn(
                    "INBOX_REDELIVERED consumer={} queue={} id={} deliveries={} why=\"it came so often and was never settled:"
                            + " its handler does not end, or consumers end while it is sent ahead to them; others are"
                            + " not named\"",
                    consumption.reception().consumer(),
                    consumption.settings().queue(),
                    String.valueOf(delivery.getProperties().getMessageId()).replaceAll("\\p{Cntrl}", " "),
                    delivered);
        }
    }
}
