package dev.postroom.benchmark;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a backlog that cannot be delivered costs the messages that can. */
@Command(
        name = "backlog",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast messages go through, and how much heap the relay uses, while many others wait: for a"
                    + " destination that is down, and for tomorrow. Beside it, the same with nothing waiting.",
            "Example: ./postroom bench backlog --store postgresql --messages 1000000"
        })
final class BacklogCommand implements Callable<Integer> {
    private static final int BATCH = 500;
    private static final int LIVE = 20_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Mixin
    final BenchOptions.InRounds options = new BenchOptions.InRounds();

    @Option(names = "--messages", defaultValue = "1000000", description = "how many wait, default ${DEFAULT-VALUE}")
    int messages;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /** A rate, and the bytes of heap in use after a collection. */
    private record Result(Measurement rate, long heapBytes) {}

    /** Confirms what is live, and cannot be reached by the others. */
    private static final class Split implements Transport {
        final AtomicLong delivered = new AtomicLong();
        private final boolean down;

        Split(boolean down) {
            this.down = down;
        }

        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            if (!down) {
                delivered.incrementAndGet();
            }
            outcome.accept(down ? Outcome.unavailable("down, as it shall be") : Outcome.confirmed());
        }
    }

    @Override
    public Integer call() throws Exception {
        Result reference = measure("nothing waits", 0, message -> message);
        print(reference, reference);
        print(measure("destination down", messages, message -> message), reference);
        print(
                measure("delayed until tomorrow", messages, message -> message.deliverAfter(Duration.ofDays(1))),
                reference);
        return 0;
    }

    private Result measure(String name, int waiting, UnaryOperator<Message> shape) throws Exception {
        TestDatabase database = options.store.fresh();
        Databases.migrate(database);
        Outbox outbox = Outbox.on(database.dataSource());
        publish(database, outbox, waiting, "bench.waiting", shape);
        Split live = new Split(false);
        List<Double> rates = new ArrayList<>();
        try (Relay relay = Relay.on(database.dataSource())
                .deliverTo("live", live)
                .deliverTo("down", new Split(true))
                .route(Route.of("bench.live", "live"))
                .route(Route.of("bench.waiting", "down"))
                .deleteAfterDelivery()
                .start()) {
            for (int round = 0; round <= options.rounds; round++) {
                long start = System.nanoTime();
                long before = live.delivered.get();
                publish(database, outbox, LIVE, "bench.live", message -> message);
                relay.wake();
                await(live, before + LIVE);
                if (round > 0) { // the first only warms up, and finds out what cannot go
                    rates.add(LIVE * 1e9 / (System.nanoTime() - start));
                }
            }
            System.gc();
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            return new Result(new Measurement(name, rates), heap);
        }
    }

    private static void publish(
            TestDatabase database, Outbox outbox, int count, String topic, UnaryOperator<Message> shape)
            throws SQLException {
        byte[] payload = new byte[Workload.PAYLOAD_BYTES];
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int written = 0; written < count; written += BATCH) {
                List<Message> batch = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCH; i++) {
                    batch.add(shape.apply(Message.to(topic)
                            .key("order-" + (written + i) % 10_000)
                            .bytes("application/octet-stream", payload)));
                }
                outbox.publishAll(connection, batch);
                connection.commit();
            }
        }
    }

    private static void await(Split live, long delivered) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (live.delivered.get() < delivered) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("delivered only " + live.delivered.get() + " of " + delivered
                        + " messages in " + PATIENCE.toMinutes() + " minutes: this must never be");
            }
            Thread.sleep(1); // short beside what is measured
        }
    }

    private void print(Result result, Result reference) {
        double ratio = result.rate().perSecond() / reference.rate().perSecond();
        PrintWriter out = spec.commandLine().getOut();
        if (options.json) {
            out.printf(
                    Locale.ROOT,
                    "{\"bench\":\"backlog\",\"case\":\"%s\",\"store\":\"%s\",\"transport\":\"none\",\"messages\":%d,"
                            + "\"payloadBytes\":%d,%s,\"heapBytes\":%d,\"reference\":{\"name\":\"%s\",%s,"
                            + "\"heapBytes\":%d},\"ratio\":%.3f}%n",
                    result.rate().name(),
                    options.store,
                    messages,
                    Workload.PAYLOAD_BYTES,
                    result.rate().json(),
                    result.heapBytes(),
                    reference.rate().name(),
                    reference.rate().json(),
                    reference.heapBytes(),
                    ratio);
        } else {
            out.printf(
                    Locale.ROOT,
                    "%s   heap %,.1f MiB   ratio %.2f%n",
                    result.rate(),
                    result.heapBytes() / 1048576.0,
                    ratio);
        }
        out.flush();
    }
}
