package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.follow.FollowingEngine;
import dev.postroom.operations.Pause;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Content;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An engine whose desks are the test: it looks at each command and gives the answer. Rows that it puts into the database come
 * with the next page. For what the simulator brings about too seldom, or cannot judge.
 */
final class HandFedEngine implements EngineListener {
    static final String ME = "me";
    static final Duration LEASE = Duration.ofSeconds(10);
    static final List<Integer> ALL = IntStream.range(0, LaneStore.LANES).boxed().toList();
    static final List<Integer> ONE_MORE_THAN_HALF = ALL.subList(31, 64);
    private static final Instant BEGINNING = Instant.EPOCH;

    private final Engine engine;
    private final HandFedTable table;
    /** What its routes are known by. */
    final String routing;

    private final List<Command> open = new ArrayList<>();
    final List<String> heard = new ArrayList<>();
    /** Failures as they were told: {@code seq reason retryMillis}. */
    final List<String> failures = new ArrayList<>();
    /** Trouble of the database as it was told: {@code desk: error}. */
    final List<String> troubles = new ArrayList<>();

    /** What {@link #secondsUntilSent} waited for. */
    List<String> lastSent = List.of();

    private long nanos = 1;

    /** With destinations a and b, of which topic "both" goes to both, "b" to b and all others to a. */
    HandFedEngine(UnaryOperator<Settings> settings) {
        Settings chosen = settings.apply(new Settings());
        Routes routes = chosen.newRoutes();
        Routes forReading = chosen.newRoutes();
        routing = routes.text().fingerprint();
        table = new HandFedTable((topic, only) ->
                only == null ? forReading.routeOf(topic) : forReading.knows(only) ? forReading.mask(only) : 0);
        engine = new FollowingEngine(
                chosen.engine(),
                new Surroundings(routes, Pipelines.NONE, name -> chosen.credit, () -> chosen.random, this));
        tick(Duration.ZERO);
    }

    HandFedEngine() {
        this(UnaryOperator.identity());
    }

    /** What tests change. */
    static final class Settings {
        int maxInFlight = 100;
        long maxInFlightBytes = 1_000_000;
        int maxCrashes = 3;
        boolean archive = true;
        Duration probeInterval = Duration.ofSeconds(5);
        int failuresInARow = 20;
        /** Of each destination. */
        Credit credit = Credit.UNLIMITED;

        double random = 0.5;
        List<Route> routes = List.of(Route.of("both", "a", "b"), Route.of("b", "b"), Route.of("**", "a"));
        Map<String, Integer> destinations = Map.of("a", 0, "b", 1);

        Settings onlyOneDestination() {
            routes = List.of(Route.of("**", "a"));
            destinations = Map.of("a", 0);
            return this;
        }

        private Routes newRoutes() {
            return new Routes(
                    routes,
                    new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0, 3),
                    new Destinations(destinations));
        }

        private EngineSettings engine() {
            return new EngineSettings(
                    ME,
                    "host",
                    "1",
                    LEASE,
                    500,
                    Duration.ofMillis(50),
                    Duration.ofSeconds(1),
                    maxInFlight,
                    maxInFlightBytes,
                    new RowLimits(1_000, 10, 500),
                    maxCrashes,
                    2_000,
                    archive,
                    Duration.ofSeconds(30),
                    destination -> new BreakerSettings(probeInterval, failuresInARow),
                    EngineBounds.DEFAULT);
        }
    }

    /** Owns these lanes, and knows that nothing is paused. */
    HandFedEngine owning(List<Integer> lanes) {
        answer(Command.ReadPauses.class, new Event.PausesRead(Pauses.NONE));
        acquire(lanes.stream()
                .map(lane -> new LaneStore.Lease(lane, 1, false, 0, 0))
                .toList());
        return this;
    }

    HandFedEngine acquire(List<LaneStore.Lease> leases) {
        List<LaneStore.Lane> free = leases.stream()
                .map(lease -> new LaneStore.Lane(lease.lane(), null, 0, null, false, 0, 0))
                .toList();
        answer(Command.Beat.class, new Event.Beaten(List.of(), free, List.of()));
        answer(Command.Acquire.class, new Event.Acquired(leases));
        return this;
    }

    /** It owns one lane more than its share then, and has to give back the last. */
    void anotherRelayComes() {
        reserve();
        tick(LEASE.dividedBy(3));
        answer(
                Command.Beat.class,
                new Event.Beaten(
                        ONE_MORE_THAN_HALF.stream()
                                .map(lane -> new LaneStore.Lease(lane, 1, false, 0, 0))
                                .toList(),
                        List.of(),
                        List.of(relay(ME, 33), relay("other", 0))));
    }

    private LaneStore.LiveNode relay(String name, int lanes) {
        return new LaneStore.LiveNode(name, "host", lanes, routing, Instant.EPOCH, true);
    }

    void tick(Duration by) {
        nanos += by.toNanos();
        tell(new Event.Tick());
    }

    void tell(Event event) {
        tell(List.of(event));
    }

    void tell(List<? extends Event> events) {
        open.addAll(engine.on(List.copyOf(events), new Moment(nanos, nanos / 1_000_000)));
    }

    /** Whether there is such a command, and only one where a desk carries it out. */
    boolean wants(Class<? extends Command> kind) {
        return open.stream().anyMatch(kind::isInstance);
    }

    /** Takes the command of this kind from its desk. */
    <C extends Command> C take(Class<C> kind) {
        C command = open.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind.getSimpleName() + " among " + open));
        open.remove(command);
        return command;
    }

    <C extends Command> C answer(Class<C> kind, Event event) {
        C command = take(kind);
        tell(event);
        return command;
    }

    /** Puts these into the database, where they are if they were not, and answers reads until a page has brought them. */
    void read(StoredMessage... rows) {
        table.put(rows);
        await(Command.Follow.class);
        answerReads();
    }

    /** Puts these into the database, and tells nobody. */
    void put(StoredMessage... rows) {
        table.put(rows);
    }

    /** The answer to the page that it wants, with these besides; to be told together with something else. */
    Event pageWith(StoredMessage... rows) {
        table.put(rows);
        return new Event.Followed(table.page(take(Command.Follow.class).request(), now()));
    }

    /** An operator takes it away. */
    void remove(StoredMessage row) {
        table.remove(row);
    }

    /** As {@link #read}, until a page has brought what is due; says where that began. */
    List<PageRequest.DuePosition> due(StoredMessage... rows) {
        table.put(rows);
        for (int i = 0; i < 200; i++) {
            await(Command.Follow.class);
            List<PageRequest.DuePosition> from = answerPage();
            if (!from.isEmpty()) {
                answerReads();
                return from;
            }
        }
        throw new AssertionError("it asks for nothing that is due: " + open);
    }

    void pausesAre(List<Pause> pauses) {
        table.pauses = pauses;
        await(Command.ReadPauses.class);
        answerReads();
    }

    /** The next page finds another server, with what is in the table. */
    void failover() {
        await(Command.Follow.class);
        answer(Command.Follow.class, new Event.Followed(new PageAnswer.Restart()));
    }

    /** Lets time pass, and answers reads, until it wants this. */
    void await(Class<? extends Command.ForReader> kind) {
        for (int i = 0; i < 100 && !wants(kind); i++) {
            answerRead();
            if (!wants(kind)) {
                tick(Duration.ofMillis(20));
            }
        }
        assertThat(wants(kind)).as("%s among %s", kind, open).isTrue();
    }

    /** Answers what the reader is asked, until it is asked nothing more. */
    void answerReads() {
        for (int i = 0; i < 100; i++) {
            if (!answerRead()) {
                return;
            }
        }
        throw new AssertionError("it reads again and again: " + open);
    }

    /** Whether it was asked anything. */
    private boolean answerRead() {
        if (wants(Command.Follow.class)) {
            answerPage();
        } else if (wants(Command.ReadStreams.class)) {
            List<StreamRead.Ask> asks = take(Command.ReadStreams.class).asks();
            tell(new Event.StreamsRead(table.streams(asks, now())));
        } else if (wants(Command.FindHeld.class)) {
            tell(new Event.HeldFound(table.held(take(Command.FindHeld.class).streams())));
        } else if (wants(Command.ReadPauses.class)) {
            answer(Command.ReadPauses.class, new Event.PausesRead(new Pauses(table.pauses, Map.of())));
        } else {
            return false;
        }
        return true;
    }

    private List<PageRequest.DuePosition> answerPage() {
        PageRequest request = take(Command.Follow.class).request();
        tell(new Event.Followed(table.page(request, now())));
        return request.due().lanes();
    }

    /** What the database's clock says. */
    private Instant now() {
        return BEGINNING.plusNanos(nanos);
    }

    /** Reserves what it is asked to, if it is. */
    void reserve() {
        if (!wants(Command.Reserve.class)) {
            return;
        }
        Command.Reserve asked = take(Command.Reserve.class);
        tell(new Event.Reserved(asked.reservations().stream()
                .map(one -> new LaneStore.Lease(one.lane(), one.epoch(), false, one.from(), one.to()))
                .toList()));
    }

    /** What was sent since the last time, as {@code destination:seq}; it stays under way. */
    List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (Command command : List.copyOf(open)) {
            if (command instanceof Command.Send send) {
                sent.add(send.destination() + ":" + send.key().seq());
                open.remove(command);
            }
        }
        return sent;
    }

    /** The lanes stay its own. */
    void renew(Integer... lanes) {
        if (wants(Command.Beat.class)) {
            List<LaneStore.Lease> held = Arrays.stream(lanes)
                    .map(lane -> new LaneStore.Lease(lane, 1, false, 0, 0))
                    .toList();
            answer(Command.Beat.class, new Event.Beaten(held, List.of(), List.of()));
        }
    }

    /** Owns lane 1, and lets time pass second by second until something is sent; says how long that took. */
    int secondsUntilSent() {
        for (int seconds = 1; seconds <= 120; seconds++) {
            tick(Duration.ofSeconds(1));
            renew(1);
            answerReads();
            reserve();
            lastSent = sent();
            if (!lastSent.isEmpty()) {
                return seconds;
            }
        }
        throw new AssertionError("nothing is sent any more: " + open);
    }

    void reply(StoredMessage row, String destination, Outcome outcome) {
        tell(new Event.Replied(row.key(), destination, outcome));
    }

    /** What it wants recorded; waits for it to have collected that. */
    MessageSettler.Batch settling() {
        tick(Duration.ofMillis(5));
        return take(Command.Settle.class).batch();
    }

    void settled(MessageSettler.Batch batch, UUID... stale) {
        table.settle(batch, Set.of(stale), now());
        tell(new Event.BatchSettled(new MessageSettler.Settled(batch.successes().size(), Set.of(stale))));
    }

    void deliversTo(Map<String, String> addresses) {
        engine.deliversTo(addresses);
    }

    void succeeds(Restart restart) {
        engine.succeeds(restart);
    }

    @Override
    public void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryMillis) {
        failures.add(message.key().seq() + " " + reason + " " + retryMillis);
    }

    @Override
    public void databaseTrouble(String desk, String error) {
        troubles.add(desk + ": " + error);
    }

    @Override
    public void standsBy(LaneStore.LiveNode inForce) {
        heard.add("stands by for " + inForce.node());
    }

    @Override
    public void unrouted(String topic, boolean held) {
        heard.add(topic + (held ? " has no route" : " is held no more"));
    }

    @Override
    public void isInForce() {
        heard.add("is in force");
    }

    @Override
    public void duplicates(int count) {
        heard.add("duplicates " + count);
    }

    @Override
    public void overtaken(int count) {
        heard.add("overtaken " + count);
    }

    @Override
    public void settleRefused(RowKey key, Refusal became, String error) {
        heard.add(became + " " + key.seq());
    }

    @Override
    public void breaker(String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {
        heard.add((open ? "held " : "resumed ") + destination + (topic == null ? "" : " " + topic));
    }

    long nanos() {
        return nanos;
    }

    /** When the settler or anybody else wants to be asked again. */
    long nextTurn() {
        return engine.nextTurn();
    }

    int inMemory() {
        return engine.inMemory();
    }

    static StoredMessage row(int lane, long seq, String topic, @Nullable String key) {
        return row(lane, seq, topic, key, new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 0));
    }

    static StoredMessage row(int lane, long seq, String topic, @Nullable String key, StoredMessage.Progress progress) {
        return new StoredMessage(
                new RowKey(lane, seq, new UUID(lane, seq)),
                new Stream("", topic, key),
                new Content(null, "text/plain", null, Map.of(), new byte[100], null),
                progress,
                Instant.EPOCH,
                null,
                null);
    }

    /** Of one stream in lane 1, due by now. */
    static StoredMessage delayed(long seq) {
        StoredMessage row =
                row(1, seq, "t", "k", new StoredMessage.Progress(RowState.DELAYED, 0, 0, 0, false, null, 0));
        return with(row, row.progress(), BEGINNING);
    }

    /** The same row after something has happened to it. */
    static StoredMessage with(StoredMessage row, StoredMessage.Progress progress, @Nullable Instant due) {
        return new StoredMessage(row.key(), row.stream(), row.content(), progress, row.createdAt(), due, row.defect());
    }

    /** Of different streams in any order. */
    void assertSent(String... sends) {
        assertThat(sent()).containsExactlyInAnyOrder(sends);
    }
}
