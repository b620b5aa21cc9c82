package dev.postroom.rabbitmq;

import com.rabbitmq.client.Connection;
import dev.postroom.inbox.Reception;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One connection of a consumer with its channels and the threads that handle, from its beginning to its end. */
final class InboxSession implements AutoCloseable {
    private static final int CLOSE_MILLIS = 1_000;
    private static final long LOOK_MILLIS = 50;

    private final InboxSettings settings;
    private final Wire wire;
    private final ExecutorService threads;
    private final Connection connection;
    private final BrokerVersion broker;
    private final CountDownLatch stop;
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>();
    private final List<InboxChannel> channels = new ArrayList<>();
    private @Nullable Moves moves;

    private InboxSession(
            InboxSettings settings, Wire wire, ExecutorService threads, Connection connection, CountDownLatch stop) {
        this.settings = settings;
        this.wire = wire;
        this.threads = threads;
        this.connection = connection;
        this.broker = BrokerVersion.of(connection);
        this.stop = stop;
    }

    /**
     * Connects, sees to it that all queues are there, and begins to consume.
     *
     * @param known what is known of the queue, and gets to be known
     */
    static InboxSession open(
            InboxSettings settings,
            Reception reception,
            AtomicReference<@Nullable QueueTraits> known,
            CountDownLatch stop)
            throws IOException, TimeoutException, GeneralSecurityException {
        Wire wire = new Wire();
        ExecutorService threads = threads(settings);
        Connection connection;
        try {
            connection = settings.broker().factory(wire).newConnection(threads, "postroom inbox " + settings.queue());
        } catch (IOException | TimeoutException | GeneralSecurityException | RuntimeException e) {
            threads.shutdownNow();
            throw e;
        }
        InboxSession session = new InboxSession(settings, wire, threads, connection, stop);
        try {
            session.consume(reception, known);
            return session;
        } catch (IOException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    private static ExecutorService threads(InboxSettings settings) {
        AtomicInteger number = new AtomicInteger();
        int most = settings.concurrency() + 1; // one for what the broker sends, which must not wait for handlers
        return new ThreadPoolExecutor(
                most,
                most,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread thread = new Thread(
                            work, "postroom-inbox-" + settings.queue() + "-handler-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                // The connection tells its consumers about its end, also when they have ended before it.
                new ThreadPoolExecutor.DiscardPolicy());
    }

    private void consume(Reception reception, AtomicReference<@Nullable QueueTraits> known) throws IOException {
        connection.addShutdownListener(signal -> ended(Failures.why(signal)));
        QueueTraits traits = new InboxQueues(settings, connection).declare(known.get());
        if (known.getAndSet(traits) == null) {
            new DropWarning(settings, reception.consumer()).say(traits, broker);
        }
        Moves moving = new Moves(settings.queue(), connection.createChannel(), this::ended);
        moves = moving;
        moving.open();
        new WaitingRooms(settings, connection.createChannel(), moving).open(this::cancelled);
        Consumption consumption = new Consumption(settings, reception, traits, broker, moving);
        for (int i = 0; i < settings.concurrency(); i++) {
            InboxChannel channel = new InboxChannel(consumption, connection.createChannel(), this::ended);
            channels.add(channel);
            channel.consume(this::cancelled);
            threads.execute(() -> channel.handleAll(stop));
        }
    }

    /**
     * The broker ends a consumer when its queue is deleted, and since RabbitMQ 4.3 also when it has waited for too long. Before, a quorum
     * queue may still be found for a moment while it is deleted.
     */
    private void cancelled(String queue) {
        boolean there;
        try {
            there = InboxQueues.exists(connection, queue);
        } catch (IOException | RuntimeException e) {
            ended("RabbitMQ has cancelled the consumer of queue '" + queue + "': " + Failures.why(e));
            return;
        }
        ended(
                there && broker.cancelsSlowConsumers()
                        ? "RabbitMQ has cancelled the consumer of queue '" + queue + "', which is there: a handler has"
                                + " probably run for longer than consumer_timeout (30 minutes by default): see where it"
                                + " hangs, or raise consumer_timeout"
                        : "queue '" + queue + "' has been deleted");
    }

    private void ended(String why) {
        trouble.compareAndSet(null, why);
    }

    /** Waits until it is told to stop, which is null, or something went wrong, which is said. */
    @Nullable
    String awaitEnd() throws InterruptedException {
        while (trouble.get() == null) {
            if (stop.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return null;
            }
        }
        return trouble.get();
    }

    /** Whether the broker was told the end of a message: it works, then. */
    boolean hasSettled() {
        return channels.stream().anyMatch(InboxChannel::hasSettled);
    }

    /** Lets what runs finish within the stop timeout; the broker delivers again whatever was not acknowledged. */
    @Override
    public void close() {
        long end = System.nanoTime() + settings.stopTimeout().toNanos();
        boolean answers = connection.isOpen();
        for (InboxChannel channel : channels) {
            answers = channel.cancel(answers);
        }
        try {
            for (InboxChannel channel : channels) {
                channel.awaitIdle(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (moves != null) {
            moves.close();
        }
        threads.shutdownNow();
        connection.abort(CLOSE_MILLIS);
        wire.cut();
    }
}
