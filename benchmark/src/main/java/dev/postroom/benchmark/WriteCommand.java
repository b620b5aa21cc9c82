package dev.postroom.benchmark;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What publishing costs the writer. */
@Command(
        name = "write",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how fast one thread publishes, one message and a hundred per transaction, with and without"
                    + " idempotency keys. Beside it, bare inserts into a table with four columns and nothing else.",
            "Example: ./postroom bench write --store postgresql --messages 20000"
        })
final class WriteCommand implements Callable<Integer> {
    private static final int MANY = 100;

    @Mixin
    final BenchOptions.InRounds options = new BenchOptions.InRounds();

    @Option(
            names = "--messages",
            defaultValue = "20000",
            description = "how many per case and round, a tenth of them one by one; default ${DEFAULT-VALUE}")
    int messages;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    private long keys;

    /** Writes so many rows within the transaction that is open. */
    private interface Writer {
        void write(Connection connection, int count) throws SQLException;
    }

    @Override
    public Integer call() throws Exception {
        if (messages < 10 * MANY || options.rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "at least 1000 --messages (was " + messages + ") and 1 round (was " + options.rounds + ")");
        }
        TestDatabase database = options.store.fresh();
        Databases.migrate(database);
        Outbox outbox = Outbox.on(database.dataSource());
        try (RawLoop raw = new RawLoop(database.dataSource())) {
            byte[] payload = new byte[Workload.PAYLOAD_BYTES];
            raw.fill(1, payload);
            for (int perTransaction : new int[] {1, MANY}) {
                measure(
                        database,
                        perTransaction,
                        (connection, count) -> raw.insert(connection, count, payload),
                        (connection, count) -> outbox.publishAll(connection, batch(count, payload, false)),
                        (connection, count) -> outbox.publishAll(connection, batch(count, payload, true)));
            }
        }
        return 0;
    }

    private List<Message> batch(int count, byte[] payload, boolean idempotent) {
        List<Message> batch = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Message message =
                    Message.to("bench.orders").key("order-" + i % 10_000).bytes("application/octet-stream", payload);
            batch.add(idempotent ? message.idempotencyKey("key-" + keys++) : message);
        }
        return batch;
    }

    /** Rounds take turns, so that a slow minute of the machine is everybody's. */
    private void measure(TestDatabase database, int perTransaction, Writer raw, Writer plain, Writer idempotent)
            throws SQLException {
        List<Double> bare = new ArrayList<>();
        List<Double> published = new ArrayList<>();
        List<Double> once = new ArrayList<>();
        for (int round = 0; round <= options.rounds; round++) {
            double[] rates = {
                rate(database, perTransaction, raw),
                rate(database, perTransaction, plain),
                rate(database, perTransaction, idempotent)
            };
            if (round > 0) { // the first only warms up
                bare.add(rates[0]);
                published.add(rates[1]);
                once.add(rates[2]);
            }
        }
        String suffix = perTransaction == 1 ? ", one by one" : ", " + perTransaction + " at once";
        Measurement reference = new Measurement("bare insert" + suffix, bare);
        print(new Measurement("publish" + suffix, published), reference);
        print(new Measurement("idempotent" + suffix, once), reference);
    }

    private double rate(TestDatabase database, int perTransaction, Writer writer) throws SQLException {
        int count = perTransaction == 1 ? messages / 10 : messages;
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            long start = System.nanoTime();
            for (int written = 0; written < count; written += perTransaction) {
                writer.write(connection, perTransaction);
                connection.commit();
            }
            return count * 1e9 / (System.nanoTime() - start);
        }
    }

    private void print(Measurement measured, Measurement reference) {
        double ratio = measured.perSecond() / reference.perSecond();
        PrintWriter out = spec.commandLine().getOut();
        if (options.json) {
            out.printf(
                    Locale.ROOT,
                    "{\"bench\":\"write\",\"case\":\"%s\",\"store\":\"%s\",\"transport\":\"none\",\"messages\":%d,"
                            + "\"payloadBytes\":%d,%s,\"reference\":{\"name\":\"%s\",%s},\"ratio\":%.3f}%n",
                    measured.name(),
                    options.store,
                    messages,
                    Workload.PAYLOAD_BYTES,
                    measured.json(),
                    reference.name(),
                    reference.json(),
                    ratio);
        } else {
            out.println(reference);
            out.printf(Locale.ROOT, "%s   ratio %.2f%n", measured, ratio);
        }
        out.flush();
    }
}
