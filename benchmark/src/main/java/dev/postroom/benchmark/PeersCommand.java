package dev.postroom.benchmark;

import dev.postroom.benchmark.peers.Order;
import dev.postroom.benchmark.peers.Rates;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How fast a backlog is drained by this outbox and by others. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast Postroom and other outboxes drain the same backlog on the same PostgreSQL, to a handler in"
                    + " the same process that does nothing: gruelbox transaction-outbox, namastack-outbox, Spring Modulith's"
                    + " event publication registry, and db-scheduler. Each runs in a process of its own, set up as its"
                    + " authors recommend for throughput, and takes its turn in each round; the first round only warms up."
                    + " Fails if a system has not handled every message. How fast each writes, one message and a hundred per"
                    + " transaction, is measured on the way.",
            "Example: ./postroom bench peers --messages 20000"
        })
final class PeersCommand implements Callable<Integer> {
    @Mixin
    final BenchOptions.InRounds options = new BenchOptions.InRounds();

    @Option(
            names = "--transport",
            defaultValue = "none",
            description = "none, the only one that all of them have, default ${DEFAULT-VALUE}")
    Brokers transport = Brokers.none;

    @Option(names = "--messages", defaultValue = "20000", description = "how many to drain, default ${DEFAULT-VALUE}")
    int messages;

    /** Only a test, which does not look at how fast they are, does without. */
    boolean warmUp = true;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    /** What one system gave, round by round. */
    private record Result(PeerSystem system, List<Double> drained, List<Double> writtenOne, List<Double> writtenMany) {
        static Result of(PeerSystem system) {
            return new Result(system, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }

        void add(Rates rates) {
            drained.add(rates.drained());
            writtenOne.add(rates.writtenOne());
            writtenMany.add(rates.writtenMany());
        }

        Measurement measured() {
            return new Measurement(system.label(), drained);
        }
    }

    @Override
    public Integer call() throws Exception {
        check();
        Path log = Files.createTempFile("postroom-peers-", ".log");
        tell("what the systems log goes to %s", log);
        List<Result> results = Stream.of(PeerSystem.values()).map(Result::of).toList();
        List<Double> raw = new ArrayList<>();
        TestDatabase own = options.store.fresh();
        List<PeerProcess> processes = new ArrayList<>();
        try {
            for (PeerSystem system : PeerSystem.values()) {
                processes.add(PeerProcess.start(system, options.store.fresh(), log, warmUp ? 4 : 1));
            }
            for (int round = warmUp ? 0 : 1; round <= options.rounds; round++) {
                // Taken in turns, so that a noisy minute disturbs all of them alike. The first only warms up.
                double rate = raw(own);
                if (round > 0) {
                    raw.add(rate);
                }
                for (int i = 0; i < processes.size(); i++) {
                    Rates rates = processes.get(i).round(messages);
                    if (round > 0) {
                        results.get(i).add(rates);
                    }
                }
                tell("round %d of %d done", round, options.rounds);
            }
        } finally {
            for (PeerProcess process : processes) {
                process.close();
            }
        }
        print(results, new Measurement("raw read+delete", raw));
        return 0;
    }

    private void check() {
        if (messages < 2 || options.rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "at least 2 --messages (was " + messages + ") and 1 round (was " + options.rounds + ")");
        }
        if (options.store != Databases.postgresql) {
            throw new ParameterException(
                    spec.commandLine(),
                    "the others are set up for PostgreSQL only (--store was " + options.store + "): leave --store out");
        }
        if (transport != Brokers.none) {
            throw new ParameterException(
                    spec.commandLine(),
                    "only a handler in the same process is something that all of them have (--transport was "
                            + transport + "): leave --transport out");
        }
    }

    private double raw(TestDatabase database) throws SQLException {
        try (RawLoop loop = new RawLoop(database.dataSource())) {
            loop.fill(messages, new byte[Order.PAYLOAD_BYTES]);
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("VACUUM ANALYZE");
                statement.execute("CHECKPOINT");
            }
            return loop.drain();
        }
    }

    private void print(List<Result> results, Measurement reference) {
        double bestPeer = results.stream()
                .filter(result -> !result.system().isOurs())
                .mapToDouble(result -> result.measured().perSecond())
                .max()
                .orElseThrow();
        PrintWriter out = spec.commandLine().getOut();
        if (!options.json) {
            out.println(reference);
        }
        for (Result result : results) {
            double ratio = result.measured().perSecond() / bestPeer;
            out.println(options.json ? document(result, reference, ratio) : line(result, ratio));
        }
        out.flush();
    }

    private static String line(Result result, double toBestPeer) {
        return String.format(
                Locale.ROOT,
                "%s   written %,.0f/s one by one, %,.0f/s in hundreds   %s%s",
                result.measured(),
                new Measurement("", result.writtenOne()).perSecond(),
                new Measurement("", result.writtenMany()).perSecond(),
                result.system().ordered ? "in order per key" : "no order",
                result.system().isOurs()
                        ? String.format(Locale.ROOT, "   %.1f times the best of the others", toBestPeer)
                        : "");
    }

    private String document(Result result, Measurement reference, double toBestPeer) {
        PeerSystem system = result.system();
        return String.format(
                Locale.ROOT,
                "{\"bench\":\"peers\",\"system\":\"%s\",\"store\":\"%s\",\"transport\":\"%s\",\"messages\":%d,"
                        + "\"payloadBytes\":%d,%s,\"reference\":{\"name\":\"%s\",%s},\"ratio\":%.3f%s,\"ordered\":%b,"
                        + "\"written\":{\"onePerTransaction\":{%s},\"hundredPerTransaction\":{%s}}}",
                system.label(),
                options.store,
                transport,
                messages,
                Order.PAYLOAD_BYTES,
                result.measured().json(),
                reference.name(),
                reference.json(),
                result.measured().perSecond() / reference.perSecond(),
                system.isOurs() ? String.format(Locale.ROOT, ",\"ratioToBestPeer\":%.3f", toBestPeer) : "",
                system.ordered,
                new Measurement("", result.writtenOne()).json(),
                new Measurement("", result.writtenMany()).json());
    }

    private void tell(String format, Object... values) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(Locale.ROOT, format + "%n", values);
        err.flush();
    }
}
