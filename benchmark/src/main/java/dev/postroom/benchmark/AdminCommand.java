package dev.postroom.benchmark;

import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How long an operator waits for an answer when there is much, and much going on. */
@Command(
        name = "admin",
        mixinStandardHelpOptions = true,
        description = {
            "Measures how long each question of the admin page takes on PostgreSQL with many messages waiting and many"
                    + " more archived, while about a thousand messages per second are written and delivered. Beside it, the"
                    + " same with next to nothing there.",
            "Example: ./postroom bench admin --messages 1000000 --archived 10000000"
        })
final class AdminCommand implements Callable<Integer> {
    private static final int FEW = 1_000;
    private static final int DEAD = 5_000;
    private static final Duration PAUSE = Duration.ofMillis(100);

    @Option(names = "--messages", defaultValue = "1000000", description = "how many wait, default ${DEFAULT-VALUE}")
    int messages;

    @Option(
            names = "--archived",
            defaultValue = "10000000",
            description = "how many were delivered before, default ${DEFAULT-VALUE}")
    int archived;

    @Option(names = "--rounds", defaultValue = "20", description = "how often each is asked, default ${DEFAULT-VALUE}")
    int rounds;

    @Option(names = "--json", description = "one JSON document per measurement")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Map<String, long[]> few = measure(FEW, FEW);
        Map<String, long[]> many = measure(messages, archived);
        many.forEach((question, micros) -> print(question, micros, few.getOrDefault(question, micros)));
        return 0;
    }

    private Map<String, long[]> measure(int waiting, int delivered) throws Exception {
        TestDatabase database = Databases.postgresql.fresh();
        Store store = Databases.migrate(database);
        store.maintenance().prepareArchive();
        fill(database, waiting, delivered);
        Outbox outbox = Outbox.on(database.dataSource());
        AtomicLong written = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        try (Relay relay = Relay.on(database.dataSource())
                .deliverTo("live", new Answering(Outcome.confirmed()))
                .deliverTo("down", new Answering(Outcome.unavailable("down, as it shall be")))
                .route(Route.of("bench.orders", "live"))
                .route(Route.of("bench.waiting", "down"))
                .start()) {
            Producer producer = new Producer(1, outbox, database.dataSource(), written, stop).every(PAUSE);
            producer.start();
            Map<String, long[]> answers = new LinkedHashMap<>();
            questions(Operations.as("bench", store.operations(), store.maintenance()))
                    .forEach((name, question) -> answers.put(name, time(question)));
            stop.set(true);
            producer.join();
            spec.commandLine().getErr().printf("asked beside %d messages of %s%n", written.get(), relay.database());
            return answers;
        }
    }

    private record Answering(Outcome answer) implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            outcome.accept(answer);
        }
    }

    /** By the database itself: ten million messages that were really delivered would take minutes. */
    private static void fill(TestDatabase database, int waiting, int delivered) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO postroom_message (topic, ordering_key, type, payload)"
                    + " SELECT 'bench.waiting', 'order-' || n % 10000, 'OrderPlaced', decode(repeat('61', 300), 'hex')"
                    + " FROM generate_series(1, " + waiting + ") n");
            statement.execute("INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error,"
                    + " attempts) SELECT 'bench.waiting', 'dead-' || n % 500, '\\x61', now(), 'HANDLER_EXCEPTION',"
                    + " 'no stock for article ' || n, 5 FROM generate_series(1, " + Math.min(DEAD, waiting) + ") n");
            statement.execute("INSERT INTO postroom_archive (archived_at, seq, id, created_at, attempts, crashes, lane,"
                    + " outcome, tenant, topic, ordering_key, content_type, payload)"
                    + " SELECT now(), -n, gen_random_uuid(), now() - interval '1 second', 0, 0, n % 64, 0, '',"
                    + " 'bench.orders', 'order-' || n % 10000, 'application/json', decode(repeat('61', 300), 'hex')"
                    + " FROM generate_series(1, " + delivered + ") n");
            statement.execute("VACUUM ANALYZE");
            statement.execute("CHECKPOINT");
        }
    }

    private static Map<String, Supplier<?>> questions(Operations operations) {
        MessageFilter dead = MessageFilter.builder().status(MessageStatus.DEAD).build();
        UUID one = operations.list(dead, 0, 1).items().get(0).id();
        Map<String, Supplier<?>> questions = new LinkedHashMap<>();
        questions.put("stats", operations::stats);
        questions.put("messages", list(operations, MessageFilter.ALL));
        questions.put("dead letters", list(operations, dead));
        questions.put(
                "blocked",
                list(
                        operations,
                        MessageFilter.builder().status(MessageStatus.BLOCKED).build()));
        questions.put(
                "processed",
                list(
                        operations,
                        MessageFilter.builder().status(MessageStatus.PROCESSED).build()));
        questions.put(
                "of a topic and key",
                list(
                        operations,
                        MessageFilter.builder()
                                .topic("bench.waiting")
                                .key("order-77")
                                .build()));
        questions.put(
                "stale for an hour",
                list(
                        operations,
                        MessageFilter.builder().staleFor(Duration.ofHours(1)).build()));
        questions.put(
                "text found",
                list(operations, MessageFilter.builder().text("order-77").build()));
        questions.put("one message", () -> operations.find(one).orElseThrow());
        questions.put("failures", () -> operations.failures(50));
        questions.put("blocked streams", () -> operations.blockedStreams(50));
        questions.put("destinations", operations::destinations);
        questions.put("relays", operations::nodes);
        questions.put("lanes", operations::lanes);
        questions.put("database", operations::storage);
        questions.put("audit", () -> operations.audit(0, 50));
        return questions;
    }

    private static Supplier<?> list(Operations operations, MessageFilter filter) {
        return () -> operations.list(filter, 0, 50);
    }

    /** In microseconds, sorted. */
    private long[] time(Supplier<?> question) {
        long[] micros = new long[rounds];
        Objects.requireNonNull(question.get());
        for (int round = 0; round < rounds; round++) {
            long start = System.nanoTime();
            Objects.requireNonNull(question.get());
            micros[round] = (System.nanoTime() - start) / 1_000;
        }
        Arrays.sort(micros);
        return micros;
    }

    private void print(String question, long[] many, long[] few) {
        PrintWriter out = spec.commandLine().getOut();
        long median = many[many.length / 2];
        long slowest = many[many.length - 1];
        long reference = few[few.length / 2];
        out.printf(
                Locale.ROOT,
                json
                        ? "{\"bench\":\"admin\",\"case\":\"%s\",\"store\":\"postgresql\",\"messages\":" + messages
                                + ",\"archived\":" + archived
                                + ",\"p50Micros\":%d,\"maxMicros\":%d,\"reference\":{\"name\":\"with " + FEW
                                + "\",\"p50Micros\":%d}}%n"
                        : "%-20s p50 %,9d µs   max %,9d µs   with next to nothing there p50 %,9d µs%n",
                question,
                median,
                slowest,
                reference);
        out.flush();
    }
}
