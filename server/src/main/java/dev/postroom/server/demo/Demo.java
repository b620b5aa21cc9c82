package dev.postroom.server.demo;

import dev.postroom.DatabaseException;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.server.demo.Scoreboard.Score;
import dev.postroom.server.output.Terminal;
import dev.postroom.server.serve.Termination;
import dev.postroom.server.web.AdminPool;
import dev.postroom.server.web.AdminSettings;
import dev.postroom.server.web.ServerMetrics;
import dev.postroom.server.web.WebServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Shop, database, relay and destinations in one process. */
public final class Demo {
    private static final RetryPolicy RETRY = new RetryPolicy(Duration.ofMillis(200), 2, Duration.ofSeconds(2), 0.2, 5);
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(60);
    private static final int PAGE = 500;

    private final DemoPlan plan;
    private final Terminal terminal;
    private final boolean silent;
    private final String user;
    /** When the shop opened. */
    private long begun = System.nanoTime();

    private final Counts counts = new Counts();
    private final List<Receiver> receivers = List.of(
            Receiver.withOutages("warehouse", Duration.ofSeconds(12), Duration.ofSeconds(3)),
            Receiver.steady("billing"),
            Receiver.steady("mailer"),
            Receiver.broken("partner"));

    /** Prints nothing if {@code silent}. */
    public Demo(DemoPlan plan, Terminal terminal, boolean silent, String user) {
        this.user = user;
        this.plan = plan;
        this.terminal = terminal;
        this.silent = silent;
    }

    /** Takes orders until it is time, then waits until everything is delivered, and proves it. */
    public DemoResult run(Termination termination) throws InterruptedException {
        try (DemoDatabase database = new DemoDatabase();
                ServerMetrics metrics = new ServerMetrics();
                AdminPool pool = new AdminPool(database.dataSource());
                Relay relay = relay(database, metrics);
                WebServer web = WebServer.start(
                        database.store(pool.dataSource()), AdminSettings.local(plan.adminPort(), user), metrics)) {
            Shop shop = new Shop(database.dataSource(), relay, plan.rate());
            welcome(database, web);
            Scoreboard scoreboard = new Scoreboard(terminal, silent);
            takeOrders(shop, database.operations(), scoreboard, () -> isTimeUp() || isAsked(termination));
            say("The shop is closed: delivering what is left…");
            receivers.forEach(Receiver::recover);
            resumeAll(database.operations());
            drain(database, shop, scoreboard);
            scoreboard.end();
            relay.close();
            return DemoResult.of(prove(database), shop.calledOff(), counts.retried(), seconds());
        }
    }

    private void takeOrders(Shop shop, Operations operations, Scoreboard scoreboard, BooleanSupplier over)
            throws InterruptedException {
        Partner partner = new Partner(receivers.get(receivers.size() - 1), operations);
        begun = System.nanoTime();
        shop.open();
        while (!over.getAsBoolean()) {
            partner.look();
            scoreboard.show(() -> score(shop, operations));
        }
        shop.close();
        scoreboard.end();
    }

    private static boolean isAsked(Termination termination) {
        try {
            return termination.isRequestedWithin(Duration.ofMillis(200));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** What is paused would never be delivered. */
    private static void resumeAll(Operations operations) {
        operations.pauses().forEach(pause -> operations.resume(pause.target(), "the demo ends"));
    }

    private Relay relay(DemoDatabase database, ServerMetrics metrics) {
        Relay.Builder builder = Relay.on(database.dataSource())
                .name("demo")
                .retry(RETRY)
                .pollMax(Duration.ofMillis(250))
                .listener(counts)
                .listener(metrics.relayListener());
        for (Receiver receiver : receivers) {
            builder.deliverTo(Destination.of(receiver.name(), receiver).probeInterval(Duration.ofMillis(500)));
        }
        Shop.ROUTES.forEach((topic, destinations) -> builder.route(Route.of(topic, destinations.toArray(String[]::new))
                .onFailure(Shop.mayOvertake(topic) ? OnFailure.SKIP : OnFailure.BLOCK)));
        return builder.start();
    }

    private void welcome(DemoDatabase database, WebServer web) {
        say("A shop takes about " + Math.round(plan.rate()) + " orders per second and publishes each in the transaction"
                + " that saves it (" + database.description() + ").");
        say(
                "The relay delivers them to warehouse, billing, mailer and partner. The warehouse is down for 3 s of every 12,"
                        + " the partner from the beginning, some messages fail once or twice, and a few are refused.");
        say("");
        say("Admin page at " + web.url());
        say("  Resume the destination partner, requeue dead letters, release a blocked stream: all of it works.");
        say("");
        say("Or look from another terminal:");
        say("  export POSTROOM_DATABASE_URL='" + database.url() + "'");
        say("  ./postroom list --status dead     ./postroom nodes     ./postroom doctor");
        say(
                plan.length() == null
                        ? "Stop with Ctrl-C."
                        : "Runs for " + plan.length().toSeconds() + " s.");
        say("");
    }

    private boolean isTimeUp() {
        Duration length = plan.length();
        return length != null && System.nanoTime() - begun >= length.toNanos();
    }

    private Score score(Shop shop, Operations operations) {
        String trouble = receivers.stream()
                .filter(Receiver::isDown)
                .map(receiver -> receiver.name() + " is down")
                .collect(Collectors.joining(", "));
        return new Score(
                shop.saved(),
                counts.delivered(),
                counts.retried(),
                counts.dead(),
                operations.blockedStreams(100).size(),
                counts.delivered() / seconds(),
                trouble);
    }

    /** Until only dead letters and what waits behind them are left, or patience ends. */
    private void drain(DemoDatabase database, Shop shop, Scoreboard scoreboard) throws InterruptedException {
        Operations operations = database.operations();
        long deadline = System.nanoTime() + LONGEST_DRAIN.toNanos();
        while (System.nanoTime() < deadline) {
            Proof.Undelivered undelivered = undelivered(operations);
            long live = operations.list(MessageFilter.ALL, 0, 1).total();
            if (live <= undelivered.dead().size() + undelivered.blocked().size()) {
                return;
            }
            scoreboard.show(() -> score(shop, operations));
            Thread.sleep(100);
        }
    }

    private static Proof.Undelivered undelivered(Operations operations) {
        Set<UUID> dead = ids(operations, MessageStatus.DEAD);
        Set<UUID> blocked = ids(operations, MessageStatus.BLOCKED);
        return new Proof.Undelivered(dead, blocked);
    }

    private static Set<UUID> ids(Operations operations, MessageStatus status) {
        Set<UUID> ids = new HashSet<>();
        MessageFilter filter = MessageFilter.builder().status(status).build();
        List<MessageItem> items;
        int page = 0;
        do {
            items = operations.list(filter, page++, PAGE).items();
            items.forEach(item -> ids.add(item.id()));
        } while (items.size() == PAGE);
        return ids;
    }

    private Proof prove(DemoDatabase database) {
        List<Order> orders = new ArrayList<>();
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(Order.ALL)) {
            while (row.next()) {
                orders.add(new Order(
                        row.getLong(1),
                        row.getObject(2, UUID.class),
                        new Order.Place(row.getString(3), row.getString(4), row.getString(5)),
                        row.getBoolean(6)));
            }
        } catch (SQLException e) {
            throw new DatabaseException("cannot read the shop's orders: " + e.getMessage(), e);
        }
        Operations operations = database.operations();
        return Proof.of(
                orders,
                receivers,
                undelivered(operations),
                OperatorActions.of(operations, ids(operations, MessageStatus.SKIPPED)));
    }

    private double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }

    private void say(String line) {
        if (!silent) {
            terminal.out().println(line);
            terminal.out().flush();
        }
    }
}
