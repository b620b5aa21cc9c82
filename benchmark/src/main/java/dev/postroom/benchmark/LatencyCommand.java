package dev.postroom.benchmark;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How long a message takes from its insert, and from its commit, to its destination. */
@Command(
        name = "latency",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how long a message takes to its destination in the same process, at steady rates: from before its"
                    + " insert, and from after its commit. The relay is woken by the commit.",
            "Example: ./postroom bench latency --store postgresql --seconds 10"
        })
final class LatencyCommand implements Callable<Integer> {
    @Mixin
    final BenchOptions options = new BenchOptions();

    @Option(
            names = "--rate",
            split = ",",
            defaultValue = "200,1000",
            description = "messages per second, several with commas, default ${DEFAULT-VALUE}")
    List<Integer> rates = List.of(200, 1_000);

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "how long each rate is measured, default ${DEFAULT-VALUE}, after 3 s to warm up")
    int seconds;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        TestDatabase database = options.store.fresh();
        Databases.migrate(database);
        Arrivals arrivals = new Arrivals();
        try (Relay relay = Relay.on(database.dataSource())
                        .deliverTo("clock", arrivals)
                        .deleteAfterDelivery()
                        .start();
                Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            Writer writer = new Writer(relay, relay.outbox(), connection);
            writer.write(200, 3, arrivals);
            for (int rate : rates) {
                print(out, rate, writer.write(rate, seconds, arrivals));
            }
        }
        return 0;
    }

    private void print(PrintWriter out, int rate, Samples samples) {
        for (boolean fromInsert : new boolean[] {true, false}) {
            long[] nanos = fromInsert ? samples.fromInsert() : samples.fromCommit();
            out.printf(
                    Locale.ROOT,
                    options.json
                            ? "{\"bench\":\"latency\",\"case\":\"%s\",\"store\":\"" + options.store
                                    + "\",\"transport\":\"none\",\"rate\":%d,\"messages\":%d,\"p50Micros\":%d,"
                                    + "\"p99Micros\":%d,\"p999Micros\":%d}%n"
                            : "%-18s %,6d/s  %,7d messages   p50 %,6d µs   p99 %,6d µs   p99.9 %,6d µs%n",
                    fromInsert ? "insert to handled" : "commit to handled",
                    rate,
                    nanos.length,
                    percentile(nanos, 0.5),
                    percentile(nanos, 0.99),
                    percentile(nanos, 0.999));
        }
        out.flush();
    }

    private static long percentile(long[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * share))] / 1_000;
    }

    /** When each message was handled. */
    private static final class Arrivals implements Transport {
        final Map<UUID, Long> at = new ConcurrentHashMap<>();
        final AtomicInteger count = new AtomicInteger();

        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            at.put(delivery.id(), System.nanoTime());
            count.incrementAndGet();
            outcome.accept(Outcome.confirmed());
        }
    }

    /** Sorted nanoseconds. */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    private record Samples(long[] fromInsert, long[] fromCommit) {}

    /** Writes one message per transaction at an even pace, and hands the commit's hint to the relay. */
    private record Writer(Relay relay, Outbox outbox, Connection connection) {

        Samples write(int rate, int seconds, Arrivals arrivals) throws Exception {
            int messages = rate * seconds;
            UUID[] ids = new UUID[messages];
            long[] inserted = new long[messages];
            long[] committed = new long[messages];
            int before = arrivals.count.get();
            long start = System.nanoTime();
            for (int i = 0; i < messages; i++) {
                pace(start + (long) (i * 1e9 / rate));
                inserted[i] = System.nanoTime();
                var published = outbox.publish(
                        connection,
                        Message.to("bench.latency").key("key-" + i % 500).text("text/plain", "x".repeat(300)));
                connection.commit();
                committed[i] = System.nanoTime();
                relay.wake(new dev.postroom.outbox.CommitHint(published.lane(), published.seq()));
                ids[i] = published.id();
            }
            while (arrivals.count.get() < before + messages) {
                Thread.sleep(1); // each has its own time of arrival
            }
            for (int i = 0; i < messages; i++) {
                Long at = arrivals.at.remove(ids[i]);
                if (at == null) {
                    throw new IllegalStateException("message " + ids[i] + " was not delivered: this must never be");
                }
                inserted[i] = at - inserted[i];
                committed[i] = at - committed[i];
            }
            Arrays.sort(inserted);
            Arrays.sort(committed);
            return new Samples(inserted, committed);
        }

        private static void pace(long until) {
            long left;
            while ((left = until - System.nanoTime()) > 0) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
