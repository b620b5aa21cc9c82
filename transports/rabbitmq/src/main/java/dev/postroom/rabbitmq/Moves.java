package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Moves messages as they are from queue to queue: a copy is published, and the message is acknowledged where it was when the
 * broker has confirmed the copy. If the process dies in between there are two of it, with the same id.
 *
 * <p>All work is done by one thread of its own, so that nothing here needs a lock.
 */
final class Moves {
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);

    private final Channel channel;
    private final Consumer<String> onEnd;
    private final ScheduledThreadPoolExecutor clock;
    /** What is on its way, by the number that the broker confirms. */
    private final NavigableMap<Long, Moved> unconfirmed = new TreeMap<>();

    private volatile boolean ended;

    /** What follows when the broker has answered. */
    interface Step {
        void take() throws IOException;
    }

    private record Moved(Step acknowledge, Step whenRefused, long sinceNanos) {}

    /** @param onEnd told why, when nothing more will be moved */
    Moves(String queue, Channel channel, Consumer<String> onEnd) {
        this.channel = channel;
        this.onEnd = onEnd;
        this.clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "postroom-inbox-" + queue + "-waiting");
            thread.setDaemon(true);
            return thread;
        });
        // The connection may have something to say after the end, which is of no interest then.
        clock.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    void open() throws IOException {
        channel.confirmSelect();
        channel.addReturnListener(message -> end("the queue '" + message.getRoutingKey() + "' has gone"));
        channel.addConfirmListener(
                (number, multiple) -> clock.execute(() -> answered(number, multiple, Moved::acknowledge)),
                (number, multiple) -> clock.execute(() -> answered(number, multiple, Moved::whenRefused)));
        channel.addShutdownListener(signal -> end(Failures.why(signal)));
        long interval = CONFIRM_TIMEOUT.toMillis() / 10;
        // What it runs throws nothing.
        var unused =
                clock.scheduleWithFixedDelay(this::requireConfirmations, interval, interval, TimeUnit.MILLISECONDS);
    }

    /** Does this on the thread of the moves, after so many milliseconds. */
    void after(long millis, Runnable work) {
        var unused = clock.schedule(work, millis, TimeUnit.MILLISECONDS); // says itself what goes wrong
    }

    /**
     * On the thread of the moves.
     *
     * @param acknowledge when the broker has the copy
     * @param whenRefused when it does not take one, because the queue is full or has failed
     */
    void move(Delivery delivery, String queue, Step acknowledge, Step whenRefused) {
        if (ended) {
            return; // it goes back to where it was with its channel
        }
        BasicProperties properties = ReturnedAmqp.renewed(delivery.getProperties());
        try {
            unconfirmed.put(channel.getNextPublishSeqNo(), new Moved(acknowledge, whenRefused, System.nanoTime()));
            channel.basicPublish("", queue, true, properties, delivery.getBody());
        } catch (IOException | RuntimeException e) {
            end(Failures.why(e));
        }
    }

    private interface Answer {
        Step of(Moved moved);
    }

    private void answered(long number, boolean multiple, Answer answer) {
        NavigableMap<Long, Moved> numbers = unconfirmed.subMap(multiple ? 0 : number, true, number, true);
        List<Moved> done = new ArrayList<>(numbers.values());
        numbers.clear();
        try {
            for (Moved moved : done) {
                if (ended) {
                    return; // it may have been returned
                }
                answer.of(moved).take();
            }
        } catch (IOException | RuntimeException e) {
            end(Failures.why(e));
        }
    }

    private void requireConfirmations() {
        if (!unconfirmed.isEmpty()
                && System.nanoTime() - unconfirmed.firstEntry().getValue().sinceNanos() > CONFIRM_TIMEOUT.toNanos()) {
            end("RabbitMQ did not confirm a message that was moved within " + CONFIRM_TIMEOUT.toSeconds() + " s");
        }
    }

    void end(String why) {
        ended = true;
        onEnd.accept(why);
    }

    /** Moves nothing more. */
    void close() {
        ended = true;
        clock.shutdownNow();
    }
}
