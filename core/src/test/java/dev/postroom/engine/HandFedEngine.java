package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.operations.Pause;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Content;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
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
 * An engine whose desks are the test: it looks at each command and gives the answer. For what the simulator brings about too
 * seldom, or cannot judge.
 */
final class HandFedEngine implements EngineListener {
    static final String ME = "me";
    static final Duration LEASE = Duration.ofSeconds(10);
    static final List<Integer> ALL = IntStream.range(0, LaneStore.LANES).boxed().toList();
    static final List<Integer> ONE_MORE_THAN_HALF = ALL.subList(31, 64);
    private static final MessageReader.Mark MARK = new MessageReader.Mark() {};

    private final Engine engine;
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
        Routes routes = new Routes(
                chosen.routes,
                new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0, 3),
                new Destinations(chosen.destinations));
        routing = routes.text().fingerprint();
        engine = new Engine(chosen.engine(), routes, () -> chosen.random, this);
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
        double random = 0.5;
        List<Route> routes = List.of(Route.of("both", "a", "b"), Route.of("b", "b"), Route.of("**", "a"));
        Map<String, Integer> destinations = Map.of("a", 0, "b", 1);

        Settings onlyOneDestination() {
            routes = List.of(Route.of("**", "a"));
            destinations = Map.of("a", 0);
            return this;
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
                    destination -> probeInterval);
        }
    }

    /** Owns these lanes, and knows that nothing is paused. */
    HandFedEngine owning(List<Integer> lanes) {
        answer(Command.ReadPauses.class, new Event.PausesRead(List.of()));
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

    /** The next read forward brings these, whatever the reader does before. */
    void read(StoredMessage... rows) {
        for (int i = 0; i < 50; i++) {
            if (wants(Command.Read.class)) {
                answer(
                        Command.Read.class,
                        new Event.PageRead(new MessageReader.Page(List.of(rows), List.of(), MARK, false)));
                return;
            }
            tick(Duration.ofMillis(20));
            idleReads();
        }
        throw new AssertionError("it does not read: " + open);
    }

    /** The next read by due time brings these; says where it began. */
    List<MessageReader.DuePosition> due(StoredMessage... rows) {
        for (int i = 0; i < 50 && !wants(Command.ReadDue.class); i++) {
            tick(Duration.ofMillis(20));
            if (wants(Command.Read.class)) {
                read();
            }
            if (wants(Command.ReadPauses.class)) {
                answer(Command.ReadPauses.class, new Event.PausesRead(List.of()));
            }
        }
        return answer(Command.ReadDue.class, new Event.RowsRead(List.of(rows)))
                .request()
                .lanes();
    }

    /** Nothing is due, nothing is paused. */
    void idleReads() {
        if (wants(Command.ReadDue.class)) {
            answer(Command.ReadDue.class, new Event.RowsRead(List.of()));
        }
        if (wants(Command.ReadPauses.class)) {
            answer(Command.ReadPauses.class, new Event.PausesRead(List.of()));
        }
    }

    /** Nothing new is there, nothing is paused; what is due is left to be asked. */
    void idleReadsButDue() {
        if (wants(Command.Read.class)) {
            answer(Command.Read.class, new Event.PageRead(new MessageReader.Page(List.of(), List.of(), MARK, false)));
        }
        if (wants(Command.ReadPauses.class)) {
            answer(Command.ReadPauses.class, new Event.PausesRead(List.of()));
        }
    }

    void pausesAre(List<Pause> pauses) {
        for (int i = 0; i < 100 && !wants(Command.ReadPauses.class); i++) {
            tick(Duration.ofMillis(20));
            if (wants(Command.ReadDue.class)) {
                answer(Command.ReadDue.class, new Event.RowsRead(List.of()));
            }
            if (wants(Command.Read.class)) {
                answer(
                        Command.Read.class,
                        new Event.PageRead(new MessageReader.Page(List.of(), List.of(), MARK, false)));
            }
        }
        answer(Command.ReadPauses.class, new Event.PausesRead(pauses));
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
            idleReads();
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
    public void breaker(String destination, @Nullable String topic, boolean open, String why) {
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
                StoredMessage.Hold.NONE,
                null);
    }

    /** Of one stream in lane 1, due by now. */
    static StoredMessage delayed(long seq) {
        StoredMessage row =
                row(1, seq, "t", "k", new StoredMessage.Progress(RowState.DELAYED, 0, 0, 0, false, null, 0));
        return new StoredMessage(
                row.key(),
                row.stream(),
                row.content(),
                row.progress(),
                row.createdAt(),
                Instant.EPOCH,
                row.hold(),
                null);
    }

    /** Of different streams in any order. */
    void assertSent(String... sends) {
        assertThat(sent()).containsExactlyInAnyOrder(sends);
    }
}
