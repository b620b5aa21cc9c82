package dev.postroom.benchmark;

import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How fast a relay drains a backlog, beside a raw loop of the same run. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast a relay drains a backlog, beside a raw loop that reads 500 rows and deletes them, and"
                    + " whether it keeps up with two producers: steadily, while another session holds a snapshot, and"
                    + " behind a long writing transaction. The store alone, read and settled by one thread, is measured"
                    + " beside it. With a broker as transport, the relay is compared to the broker's own client, which"
                    + " publishes the same payloads with confirms and does nothing else. What the headers of a CloudEvent"
                    + " cost that client is measured beside it, and so is the least that any outbox must do: read rows,"
                    + " publish them with these headers, delete them.",
            "Example: ./postroom bench drain --store postgresql --messages 500000",
            "         ./postroom bench drain --store postgresql --transport rabbitmq"
        })
final class DrainCommand implements Callable<Integer> {
    private static final int BATCH = 500;
    private static final int MOST_SECONDS = 300;

    @Mixin
    final BenchOptions.InRounds options = new BenchOptions.InRounds();

    @Option(
            names = "--transport",
            defaultValue = "none",
            description = "${COMPLETION-CANDIDATES}, default ${DEFAULT-VALUE}")
    Brokers transport = Brokers.none;

    @Option(names = "--messages", defaultValue = "200000", description = "how many to drain, default ${DEFAULT-VALUE}")
    int messages;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "how long each producing case runs, default ${DEFAULT-VALUE}; 0 leaves them out")
    int seconds;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        TestDatabase database = options.store.fresh();
        Store target = Databases.migrate(database);
        Outbox outbox = Outbox.on(database.dataSource());

        target.maintenance().prepareArchive();
        try (Broker broker = transport.open()) {
            List<Case> cases = cases(database, outbox, target, broker);
            for (int round = 0; round <= options.rounds; round++) {
                // Taken in turns, so that a noisy minute disturbs all of them alike.
                for (Case one : cases) {
                    double rate = one.work().call();
                    if (round > 0) { // the first only warms up
                        one.rates().add(rate);
                    }
                }
                spec.commandLine().getErr().printf("round %d of %d done%n", round, options.rounds);
                spec.commandLine().getErr().flush();
            }
            Measurement reference = cases.get(0).measured();
            cases.stream().skip(1).forEach(one -> print(out, one.measured(), reference));
            if (transport == Brokers.none && seconds > 0) {
                for (Disturbance disturbance : Disturbance.values()) {
                    keepUp(out, database, outbox, broker, disturbance);
                }
            }
        }
        return 0;
    }

    /** Something to measure, and what it gave so far. */
    private record Case(String name, List<Double> rates, Callable<Double> work) {
        static Case of(String name, Callable<Double> work) {
            return new Case(name, new ArrayList<>(), work);
        }

        Measurement measured() {
            return new Measurement(name, rates);
        }
    }

    /** The first is what the others are compared to. */
    private List<Case> cases(TestDatabase database, Outbox outbox, Store target, Broker broker) {
        List<Case> cases = new ArrayList<>();
        if (transport == Brokers.none) {
            cases.add(Case.of("raw read+delete", () -> raw(database)));
        } else {
            cases.add(Case.of("bare confirmed publish", () -> barePublish(broker, Map.of())));
            cases.add(Case.of("bare, with event's headers", () -> barePublish(broker, Workload.ATTRIBUTES)));
            cases.add(Case.of("bare read+publish+delete", () -> bareRelay(database, broker)));
        }
        cases.add(Case.of("drain", () -> drainByRelay(database, outbox, broker, false)));
        cases.add(Case.of("drain, archived", () -> drainByRelay(database, outbox, broker, true)));
        if (transport == Brokers.none) {
            cases.add(Case.of("store alone, one thread", () -> drainByStore(database, outbox, target)));
        }
        return cases;
    }

    private double barePublish(Broker broker, Map<String, String> attributes) throws Exception {
        double rate;
        try (BareClient client = broker.bareClient(attributes)) {
            rate = client.rate(messages, new byte[Workload.PAYLOAD_BYTES]);
        }
        requireArrived(broker);
        return rate;
    }

    private double bareRelay(TestDatabase database, Broker broker) throws Exception {
        double rate;
        try (RawLoop loop = new RawLoop(database.dataSource());
                BareClient client = broker.bareClient(Workload.ATTRIBUTES)) {
            loop.fill(messages, new byte[Workload.PAYLOAD_BYTES]);
            settleDown(database);
            rate = BareRelay.rate(database.dataSource(), loop, client, messages);
        }
        requireArrived(broker);
        return rate;
    }

    private void requireArrived(Broker broker) throws Exception {
        long arrived = broker.takeArrived();
        if (arrived < messages) {
            throw new IllegalStateException("only " + arrived + " of " + messages + " arrived: this must never be");
        }
    }

    private double raw(TestDatabase database) throws SQLException {
        try (RawLoop loop = new RawLoop(database.dataSource())) {
            loop.fill(messages, new byte[Workload.PAYLOAD_BYTES]);
            settleDown(database);
            return loop.drain();
        }
    }

    private void fill(TestDatabase database, Outbox outbox) throws SQLException {
        Workload workload = new Workload(messages);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int written = 0; written < messages; written += BATCH) {
                outbox.publishAll(connection, workload.batch(BATCH));
                connection.commit();
            }
        }
        settleDown(database);
    }

    private double drainByStore(TestDatabase database, Outbox outbox, Store target) throws SQLException {
        fill(database, outbox);
        try (StoreLoop loop = new StoreLoop(target, false)) {
            long start = System.nanoTime();
            long done = 0;
            for (int turn = loop.turn(); turn > 0; turn = loop.turn()) {
                done += turn;
            }
            return done * 1e9 / (System.nanoTime() - start);
        }
    }

    /** From before the relay starts until it has stopped, so that taking lanes and the last settle count too. */
    private double drainByRelay(TestDatabase database, Outbox outbox, Broker broker, boolean archive) throws Exception {
        fill(database, outbox);
        long start = System.nanoTime();
        long done;
        try (RelayRun run = new RelayRun(database, broker.transport(), archive)) {
            await(run, messages);
            done = run.delivered();
        }
        double rate = done * 1e9 / (System.nanoTime() - start);
        requireArrived(broker);
        return rate;
    }

    private static void await(RelayRun run, long delivered) throws InterruptedException {
        long deadline = System.nanoTime() + MOST_SECONDS * 1_000_000_000L;
        while (run.delivered() < delivered) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("delivered only " + run.delivered() + " of " + delivered
                        + " messages in " + MOST_SECONDS + " s: this must never be");
            }
            Thread.sleep(1); // short beside what is measured
        }
    }

    /** Neither loop is to pay for the other's garbage or for its filling. */
    private void settleDown(TestDatabase database) throws SQLException {
        if (options.store == Databases.postgresql) {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("VACUUM ANALYZE");
                statement.execute("CHECKPOINT");
            }
        }
    }

    private void keepUp(PrintWriter out, TestDatabase database, Outbox outbox, Broker broker, Disturbance disturbance)
            throws Exception {
        settleDown(database);
        AtomicLong written = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        try (Connection disturbing = database.connect();
                RelayRun run = new RelayRun(database, broker.transport(), false)) {
            disturbance.begin(disturbing, outbox);
            List<Producer> producers = List.of(
                    new Producer(1, outbox, database.dataSource(), written, stop),
                    new Producer(2, outbox, database.dataSource(), written, stop));
            long start = System.nanoTime();
            producers.forEach(Thread::start);
            Thread.sleep(seconds * 1_000L); // how long the producers write
            long done = run.delivered();
            long in = written.get();
            double elapsed = (System.nanoTime() - start) / 1e9;
            stop.set(true);
            for (Producer producer : producers) {
                producer.join();
            }
            out.printf(
                    Locale.ROOT,
                    options.json
                            ? "{\"bench\":\"keep-up\",\"store\":\"" + options.store
                                    + "\",\"case\":\"%s\",\"in\":%.0f,\"out\":%.0f,\"ratio\":%.3f}%n"
                            : "%-28s in %,8.0f/s   out %,8.0f/s   ratio %.2f%n",
                    disturbance.label,
                    in / elapsed,
                    done / elapsed,
                    (double) done / in);
            out.flush();
            disturbing.rollback();
            await(run, written.get());
        }
    }

    private void print(PrintWriter out, Measurement ours, Measurement reference) {
        double ratio = ours.perSecond() / reference.perSecond();
        if (options.json) {
            out.printf(
                    Locale.ROOT,
                    "{\"bench\":\"drain\",\"case\":\"%s\",\"store\":\"%s\",\"transport\":\"%s\",\"messages\":%d,"
                            + "\"payloadBytes\":%d,%s,\"reference\":{\"name\":\"%s\",%s},\"ratio\":%.3f}%n",
                    ours.name(),
                    options.store,
                    transport,
                    messages,
                    Workload.PAYLOAD_BYTES,
                    ours.json(),
                    reference.name(),
                    reference.json(),
                    ratio);
        } else {
            out.println(reference);
            out.println(ours + String.format(Locale.ROOT, "   ratio %.2f", ratio));
        }
        out.flush();
    }
}
