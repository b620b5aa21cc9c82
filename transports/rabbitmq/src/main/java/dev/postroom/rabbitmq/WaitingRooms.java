package dev.postroom.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Where failed messages wait. One is taken out ahead of its time, kept in memory until then, and put into the next room or
 * back into its queue; it leaves its room when the broker has confirmed that. If the process dies meanwhile it is in its room
 * still, or in both, with the same id.
 *
 * <p>The broker could do this itself, by dead-lettering what has expired. But a classic queue may lose a message on that way
 * when the broker dies, and a quorum queue that must not lose any was found without a leader after the broker was killed, for
 * good (RabbitMQ 3.10.8; rabbitmq-server issue 16652 has it for 4.2).
 *
 * <p>All work is done by one thread of its own, so that nothing here needs a lock.
 */
final class WaitingRooms {
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(10);

    private final InboxSettings settings;
    private final Channel channel;
    private final Consumer<String> onEnd;
    private final InstantSource time = InstantSource.system();
    private final ScheduledThreadPoolExecutor clock;
    /** What is on its way, by the number that the broker confirms. */
    private final NavigableMap<Long, Moved> unconfirmed = new TreeMap<>();

    private volatile boolean ended;

    private record Moved(long deliveryTag, long sinceNanos) {}

    /** @param onEnd told why, when nothing more will be moved */
    WaitingRooms(InboxSettings settings, Channel channel, Consumer<String> onEnd) {
        this.settings = settings;
        this.channel = channel;
        this.onEnd = onEnd;
        this.clock = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "postroom-inbox-" + settings.queue() + "-waiting");
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
                (number, multiple) -> clock.execute(() -> confirmed(number, multiple)),
                (number, multiple) -> end("RabbitMQ rejected a message that had waited: its queue is full or failed"));
        channel.addShutdownListener(signal -> end(Failures.why(signal)));
        channel.basicQos(settings.prefetch());
        for (WaitingRoom room : WaitingRoom.values()) {
            String queue = room.queue(settings);
            channel.basicConsume(
                    queue,
                    false,
                    (tag, delivery) -> keep(delivery, room),
                    tag -> end("queue '" + queue + "' has been deleted"));
        }
        long interval = CONFIRM_TIMEOUT.toMillis() / 10;
        // What it runs throws nothing.
        var unused =
                clock.scheduleWithFixedDelay(this::requireConfirmations, interval, interval, TimeUnit.MILLISECONDS);
    }

    private void keep(Delivery delivery, WaitingRoom room) {
        // A copy is put into a room at once when the broker would drop the message after a few deliveries more.
        boolean worn = ReturnedAmqp.isWorn(delivery.getProperties());
        long millis = worn ? 0 : Math.min(millisLeft(delivery), room.millis());
        var unused = clock.schedule(() -> move(delivery), millis, TimeUnit.MILLISECONDS); // says itself what goes wrong
    }

    private long millisLeft(Delivery delivery) {
        return Math.max(0, ReturnedAmqp.due(delivery.getProperties()) - time.millis());
    }

    private void move(Delivery delivery) {
        if (ended) {
            return; // it goes back to its room with the channel
        }
        long left = millisLeft(delivery);
        String next = left == 0 ? settings.queue() : WaitingRoom.of(left).queue(settings);
        try {
            unconfirmed.put(
                    channel.getNextPublishSeqNo(),
                    new Moved(delivery.getEnvelope().getDeliveryTag(), System.nanoTime()));
            channel.basicPublish("", next, true, ReturnedAmqp.renewed(delivery.getProperties()), delivery.getBody());
        } catch (IOException | RuntimeException e) {
            end(Failures.why(e));
        }
    }

    private void confirmed(long number, boolean multiple) {
        NavigableMap<Long, Moved> done = unconfirmed.subMap(multiple ? 0 : number, true, number, true);
        try {
            for (Moved moved : done.values()) {
                if (ended) {
                    return; // it may have been returned
                }
                channel.basicAck(moved.deliveryTag(), false);
            }
        } catch (IOException | RuntimeException e) {
            end(Failures.why(e));
        }
        done.clear();
    }

    private void requireConfirmations() {
        if (!unconfirmed.isEmpty()
                && System.nanoTime() - unconfirmed.firstEntry().getValue().sinceNanos() > CONFIRM_TIMEOUT.toNanos()) {
            end("RabbitMQ did not confirm a message that had waited within " + CONFIRM_TIMEOUT.toSeconds() + " s");
        }
    }

    private void end(String why) {
        ended = true;
        onEnd.accept(why);
    }

    /** Moves nothing more. */
    void close() {
        ended = true;
        clock.shutdownNow();
    }
}
