package dev.postroom.benchmark.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Stats;
import dev.postroom.outbox.Outbox;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code postroom chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Runs three relays as real processes between a real PostgreSQL and a real RabbitMQ, while two shops write"
                    + " orders, and makes trouble: relays are killed and frozen, connections to the database break, the broker"
                    + " is killed, the clocks of relays are set. In the end it compares the shops' own table with what"
                    + " arrived. Exits 1 if anything was lost, reordered or invented.",
            "A relay's clock is set up to 11 minutes ahead of the machine's or behind it. Leases, retries and due times"
                    + " are counted by the database's clock, which stays: a relay takes its own to notice that it jumped,"
                    + " and then trusts no lane before it has renewed it; and for the latencies that it reports.",
            "Starts its own servers; installs Debian's package rabbitmq-server where it is missing and it may.",
            "Example: ./postroom chaos --seconds 300 --seed 7 --faults kill,stop"
        })
public final class ChaosCommand implements Callable<Integer> {
    private static final int RELAYS = 3;
    private static final int SHOPS = 2;
    private static final Duration STUCK_AFTER = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(500);

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "how long to make trouble, default ${DEFAULT-VALUE}")
    int seconds;

    @Option(names = "--seed", description = "makes the same faults in the same order; a new one each time by default")
    @Nullable
    Long seed;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "FAULT",
            description = "some of kill, stop, db, broker and clock; all by default, none for a run in peace")
    @Nullable
    List<String> faults;

    @Option(names = "--json", description = "one JSON document")
    boolean json;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--seconds must be at least 1 (was " + seconds + ")");
        }
        List<Fault> kinds = kinds();
        long used = seed == null ? System.nanoTime() & 0xffff : seed;
        Path log = Files.createTempFile("postroom-chaos-", ".log");
        tell(
                "seed %d, faults %s; the relays' log is %s",
                used, kinds.stream().map(Fault::label).toList(), log);
        Verdict verdict = run(new SplittableRandom(used), kinds, log);
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? verdict.json() : verdict.toString());
        out.flush();
        if (!verdict.isGood()) {
            tell(
                    "again with: ./postroom chaos --seconds %d --seed %d%s",
                    seconds, used, faults == null ? "" : " --faults " + String.join(",", faults));
        }
        return verdict.isGood() ? 0 : 1;
    }

    private List<Fault> kinds() {
        if (faults == null) {
            return List.of(Fault.values());
        }
        List<Fault> kinds = new ArrayList<>();
        for (String name : faults) {
            if (name.equals("none")) {
                continue;
            }
            kinds.add(List.of(Fault.values()).stream()
                    .filter(fault -> fault.label().equals(name.strip()))
                    .findFirst()
                    .orElseThrow(() -> new ParameterException(
                            spec.commandLine(),
                            "no fault is called '" + name + "': use kill, stop, db, broker, clock or none")));
        }
        return kinds;
    }

    private Verdict run(SplittableRandom random, List<Fault> kinds, Path log) throws Exception {
        tell("starting PostgreSQL, RabbitMQ and %d relays", RELAYS);
        try (Place place = new Place();
                HikariDataSource pool =
                        Place.pool(place.databaseUrl(), place.database.username(), place.database.password(), SHOPS)) {
            Receiver receiver = new Receiver(place);
            receiver.start();
            long dead;
            try (Faults trouble = new Faults(place, log, random.split(), kinds, RELAYS)) {
                List<Shop> shops = openShops(pool, random);
                makeTrouble(trouble, receiver);
                trouble.heal();
                for (Shop shop : shops) {
                    shop.close();
                }
                dead = awaitDelivery(place);
                receiver.close();
                return Verdict.of(committed(place), receiver.arrived(), dead, trouble.counts());
            }
        }
    }

    private static List<Shop> openShops(HikariDataSource pool, SplittableRandom random) {
        Outbox outbox = Outbox.on(pool);
        List<Shop> shops = new ArrayList<>();
        for (int i = 0; i < SHOPS; i++) {
            Shop shop = new Shop(pool, outbox, random.split(), i);
            shop.start();
            shops.add(shop);
        }
        return shops;
    }

    private void makeTrouble(Faults trouble, Receiver receiver) throws Exception {
        long start = System.nanoTime();
        long end = start + Duration.ofSeconds(seconds).toNanos();
        long nextLine = start;
        while (System.nanoTime() < end) {
            trouble.next();
            if (System.nanoTime() >= nextLine) {
                tell(
                        "%d s: %d arrived, faults %s",
                        Duration.ofNanos(System.nanoTime() - start).toSeconds(),
                        receiver.arrived().size(),
                        trouble.counts());
                nextLine = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            }
        }
    }

    /** Until nothing is left to deliver; dead letters are retried, as an operator would. How many there were. */
    private long awaitDelivery(Place place) throws InterruptedException {
        Operations operations = Operations.as("chaos", place.store.operations(), place.store.maintenance());
        long dead = 0;
        long last = -1;
        long progress = System.nanoTime();
        while (true) {
            Stats stats = operations.stats();
            if (stats.dead() > 0) {
                dead += stats.dead();
                MessageFilter all =
                        MessageFilter.builder().status(MessageStatus.DEAD).build();
                operations.change(Change.RETRY, Bulk.of(all), "the trouble is over");
            } else if (stats.backlog() == 0) {
                return dead;
            }
            if (stats.backlog() != last) {
                last = stats.backlog();
                progress = System.nanoTime();
                tell("%d to be delivered", last);
            } else if (System.nanoTime() - progress > STUCK_AFTER.toNanos()) {
                tell("nothing moves any more, with %d to be delivered", last);
                return dead;
            }
            Thread.sleep(LOOK.toMillis()); // relays in other processes tell nobody when they are done
        }
    }

    private static Set<Order> committed(Place place) throws SQLException {
        Set<Order> orders = new HashSet<>();
        try (Connection connection = place.database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT customer, number FROM shop_order")) {
            while (rows.next()) {
                orders.add(new Order(rows.getInt(1), rows.getLong(2)));
            }
        }
        return orders;
    }

    private void tell(String format, Object... values) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(Locale.ROOT, format + "%n", values);
        err.flush();
    }
}
