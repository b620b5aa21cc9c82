package dev.postroom.benchmark;

import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.Route;
import dev.postroom.relay.Relay;
import dev.postroom.server.web.AdminPool;
import dev.postroom.server.web.AdminSettings;
import dev.postroom.server.web.ServerMetrics;
import dev.postroom.server.web.WebServer;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
                    + " more archived, while about a thousand messages per second are written and delivered: in the same"
                    + " process, and over HTTP from the server that './postroom serve' starts. Beside it, the same with next"
                    + " to nothing there. Exit code 1 if a question was not answered.",
            "Example: ./postroom bench admin --messages 1000000 --archived 10000000"
        })
final class AdminCommand implements Callable<Integer> {
    private static final int FEW = 1_000;
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
        Map<String, AdminAnswer> few = measure(FEW, FEW);
        Map<String, AdminAnswer> many = measure(messages, archived);
        many.forEach((question, answer) -> print(question, answer, few.getOrDefault(question, answer)));
        boolean failed =
                Stream.concat(few.values().stream(), many.values().stream()).anyMatch(AdminAnswer::isFailed);
        return failed ? 1 : 0;
    }

    private Map<String, AdminAnswer> measure(int waiting, int delivered) throws Exception {
        TestDatabase database = Databases.postgresql.fresh();
        Databases.migrate(database).maintenance().prepareArchive();
        new AdminBacklog(database, spec.commandLine().getErr()).fill(waiting, delivered);
        AtomicLong written = new AtomicLong();
        AtomicBoolean stop = new AtomicBoolean();
        try (Relay relay = relay(database);
                AdminPool pool = new AdminPool(database.dataSource());
                ServerMetrics metrics = new ServerMetrics();
                WebServer web = WebServer.start(store(pool), AdminSettings.local(0, "bench"), metrics)) {
            Producer producer = new Producer(1, Outbox.on(database.dataSource()), database.dataSource(), written, stop)
                    .every(PAUSE);
            producer.start();
            try {
                Store store = store(pool);
                return ask(
                        AdminQuestions.of(Operations.as("bench", store.operations(), store.maintenance()), web.url()));
            } finally {
                stop.set(true);
                producer.join();
                say("asked beside %d messages of %s", written.get(), relay.database());
            }
        }
    }

    private static Store store(AdminPool pool) {
        return Store.open(pool.dataSource(), TableNames.DEFAULT);
    }

    private static Relay relay(TestDatabase database) {
        return Relay.on(database.dataSource())
                .deliverTo("live", new Answering(Outcome.confirmed()))
                .deliverTo("down", new Answering(Outcome.unavailable("down, as it shall be")))
                .route(Route.of("bench.orders", "live"))
                .route(Route.of("bench.waiting", "down"))
                .start();
    }

    private record Answering(Outcome answer) implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            outcome.accept(answer);
        }
    }

    private Map<String, AdminAnswer> ask(Map<String, Callable<?>> questions) {
        Map<String, AdminAnswer> answers = new LinkedHashMap<>();
        questions.forEach((name, question) -> {
            AdminAnswer answer = AdminAnswer.to(question, rounds);
            answers.put(name, answer);
            if (answer.isFailed()) {
                say("%s failed: %s", name, answer.error());
            }
        });
        return answers;
    }

    private void say(String text, @Nullable Object... values) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(Locale.ROOT, text + "%n", values);
        err.flush();
    }

    private void print(String question, AdminAnswer many, AdminAnswer few) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(document(question, many, few));
        } else if (many.isFailed() || few.isFailed()) {
            out.printf(
                    "%-52s FAILED %s%n",
                    question, many.isFailed() ? many.error() : "with next to nothing there: " + few.error());
        } else {
            out.printf(
                    Locale.ROOT,
                    "%-52s p50 %,9d µs   max %,9d µs   with next to nothing there p50 %,9d µs   max %,9d µs%n",
                    question,
                    many.medianMicros(),
                    many.maxMicros(),
                    few.medianMicros(),
                    few.maxMicros());
        }
        out.flush();
    }

    private String document(String question, AdminAnswer many, AdminAnswer few) {
        String start = "{\"bench\":\"admin\",\"case\":\"" + question + "\",\"store\":\"postgresql\",\"messages\":"
                + messages + ",\"archived\":" + archived;
        if (many.isFailed() || few.isFailed()) {
            return start + ",\"failed\":true}";
        }
        return start + ",\"p50Micros\":" + many.medianMicros() + ",\"maxMicros\":" + many.maxMicros()
                + ",\"reference\":{\"name\":\"with " + FEW + "\",\"p50Micros\":" + few.medianMicros()
                + ",\"maxMicros\":"
                + few.maxMicros() + "}}";
    }
}
