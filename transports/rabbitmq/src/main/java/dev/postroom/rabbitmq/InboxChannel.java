package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Reception;
import dev.postroom.inbox.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One channel: one message at a time, each acknowledged on its own when it is done. A message leaves its queue only after the
 * broker has confirmed the copy that waits, or is dead, elsewhere; if the process dies in between there are two of it, with
 * the same id, and the inbox lets one through.
 */
final class InboxChannel {
    private static final long CONFIRM_MILLIS = 10_000;
    private static final long FIRST_WAIT_MILLIS = 100;
    private static final long LONGEST_WAIT_MILLIS = 5_000;

    private final InboxSettings settings;
    private final Reception reception;
    private final Channel channel;
    private final Arrivals arrivals;
    private final Consumer<String> onEnd;
    private @Nullable String tag;
    private volatile boolean settled;
    private volatile boolean returned;

    /** @param onEnd told why, when nothing more will come over this channel */
    InboxChannel(Consumption consumption, Channel channel, Consumer<String> onEnd) {
        this.settings = consumption.settings();
        this.reception = consumption.reception();
        this.channel = channel;
        this.arrivals = new Arrivals(consumption, channel);
        this.onEnd = onEnd;
    }

    /** @param onCancel told the queue's name, when the broker ends its consumer */
    void consume(Consumer<String> onCancel) throws IOException {
        channel.confirmSelect();
        channel.addReturnListener(message -> returned = true);
        channel.addShutdownListener(signal -> onEnd.accept(Failures.why(signal)));
        channel.basicQos(settings.prefetch());
        tag = channel.basicConsume(
                settings.queue(),
                false,
                (ignored, delivery) -> arrivals.add(delivery),
                ignored -> onCancel.accept(settings.queue()));
    }

    boolean hasSettled() {
        return settled;
    }

    /** Handles what arrives until the end is called. */
    void handleAll(CountDownLatch stop) {
        try {
            for (Delivery next = arrivals.begin(); next != null; next = arrivals.begin()) {
                Verdict verdict = stop.getCount() == 0 ? null : verdict(next, stop);
                if (verdict == null) {
                    arrivals.giveBack(List.of(next));
                    return;
                }
                settle(next, verdict);
                settled = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) { // also an Error: whatever was not acknowledged comes again
            onEnd.accept(why(e));
        } finally {
            arrivals.leave();
        }
    }

    private static String why(Throwable e) {
        if (e instanceof RefusedException) {
            return String.valueOf(e.getMessage());
        }
        return e instanceof Error ? e.toString() : Failures.why(e);
    }

    /** Null when there is none, because the end came first. */
    private @Nullable Verdict verdict(Delivery delivery, CountDownLatch stop) throws InterruptedException {
        long wait = FIRST_WAIT_MILLIS;
        while (true) {
            Verdict verdict = receive(delivery);
            if (!(verdict instanceof Verdict.NotNow)) {
                return verdict;
            }
            // The database cannot be used. The message stays where it is, and costs no attempt.
            if (stop.await(wait, TimeUnit.MILLISECONDS) || arrivals.areOver() || !channel.isOpen()) {
                return null;
            }
            wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
        }
    }

    private Verdict receive(Delivery delivery) {
        try {
            return reception.receive(ReceivedAmqp.of(delivery), "rabbitmq", settings.queue());
        } catch (DeliveryFailedException e) {
            return reception.refused(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    private void settle(Delivery delivery, Verdict verdict) throws IOException, InterruptedException {
        Envelope envelope = delivery.getEnvelope();
        if (verdict instanceof Verdict.Again again) {
            tryAgain(delivery, again);
        } else if (verdict instanceof Verdict.Dead dead) {
            bury(delivery, dead);
        }
        channel.basicAck(envelope.getDeliveryTag(), false);
    }

    /** One without room for what is to be remembered of it is dead: handled without its headers it would be another message. */
    private void tryAgain(Delivery delivery, Verdict.Again again) throws IOException, InterruptedException {
        BasicProperties properties = ReturnedAmqp.again(delivery.getProperties(), again);
        if (room().has(properties)) {
            String queue = WaitingRoom.of(again.delay().toMillis()).queue(settings);
            publish("", queue, properties, delivery.getBody());
        } else {
            int attempts = ReturnedAmqp.attempt(delivery.getProperties());
            bury(delivery, new Verdict.Dead(attempts, again.reason(), again.error()));
        }
    }

    private void bury(Delivery delivery, Verdict.Dead dead) throws IOException, InterruptedException {
        BasicProperties properties =
                ReturnedAmqp.dead(delivery.getProperties(), dead, reception.consumer(), settings.queue());
        publish(settings.deadLetterExchange(), settings.deadLetterKey(), room().fitted(properties), delivery.getBody());
    }

    private HeaderRoom room() {
        return new HeaderRoom(channel.getConnection().getFrameMax());
    }

    /** Returns when the broker has it. */
    private void publish(String exchange, String routingKey, BasicProperties properties, byte[] body)
            throws IOException, InterruptedException {
        returned = false;
        channel.basicPublish(exchange, routingKey, true, properties, body);
        try {
            if (!channel.waitForConfirms(CONFIRM_MILLIS)) {
                throw new RefusedException(
                        "RabbitMQ rejected a message for '" + routingKey + "': its queue is full or failed");
            }
        } catch (TimeoutException e) {
            throw new RefusedException("RabbitMQ did not confirm a message for '" + routingKey + "' within "
                    + CONFIRM_MILLIS / 1_000 + " s: see whether its queue is available");
        }
        if (returned) { // the return comes before the confirmation
            throw new RefusedException(
                    "no queue takes messages for '" + routingKey + "' from exchange '" + exchange + "'");
        }
    }

    /**
     * Takes nothing more, and gives back what nobody has begun with; what is being handled goes on.
     *
     * @param tell whether to let the broker know, which takes long when it does not answer
     * @return whether to tell it more
     */
    boolean cancel(boolean tell) {
        List<Delivery> untouched = arrivals.end();
        String consuming = tag;
        if (!tell || consuming == null || !channel.isOpen()) {
            return tell;
        }
        try {
            channel.basicCancel(consuming);
            untouched.addAll(arrivals.end()); // it may have sent more before it was told
            arrivals.giveBack(untouched);
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Waits until nothing is being handled, but no longer than this. */
    void awaitIdle(long nanos) throws InterruptedException {
        arrivals.awaitIdle(nanos);
    }

    /** The broker did not take a message that was to go elsewhere. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }
}
