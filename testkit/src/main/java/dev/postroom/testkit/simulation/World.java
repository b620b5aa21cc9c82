package dev.postroom.testkit.simulation;

import dev.postroom.Stream;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Content;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.database.DatabaseShape;
import dev.postroom.testkit.simulation.database.Row;
import dev.postroom.testkit.simulation.database.SimulatedDatabase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All that a simulation consists of. */
final class World {
    final SimulationOptions options;
    final Scenario scenario;
    final Timeline timeline = new Timeline();
    final Ledger ledger;
    final Watchers watchers = new Watchers();
    final SimulatedDatabase database;
    final Destinations destinations;
    final Routes routes;
    private final Routes newerRoutes;
    final Network network;
    final Fleet fleet;
    final RefusedRows refusedRows = new RefusedRows(this);
    /** For {@link BrokenVariant#ROUTINGS_NEVER_GONE}. */
    final Map<String, LaneStore.LiveNode> relaysSeen = new TreeMap<>();

    private final Map<ExpectedFailure, String> expected = new EnumMap<>(ExpectedFailure.class);
    private final OperatorActions operators;

    private final Dice dice;
    private boolean quiet;
    private long restored;
    private boolean databaseDown;
    private boolean recordingNothing;
    private int largestAnswer;

    World(long seed, SimulationOptions options, @Nullable Consumer<String> trace) {
        this.ledger = new Ledger(timeline, trace);
        this.options = options;
        this.dice = new Dice(seed);
        this.scenario = Scenario.of(dice.split(), options);
        this.database = new SimulatedDatabase(
                new DatabaseShape(
                        scenario.personality(),
                        scenario.lanesInUse(),
                        scenario.streamIds(),
                        BrokenVariant.defectsOf(options.broken())),
                timeline::now,
                watchers);
        this.destinations = database.lanes().destinations(Scenario.DESTINATIONS);
        this.routes = newRoutes(0);
        this.newerRoutes = newRoutes(1);
        this.network = new Network(this);
        this.fleet = new Fleet(this);
        this.operators = new OperatorActions(this);
        watchers.add(ledger);
        Checks.of(this).forEach(watchers::add);
    }

    /** Each relay has its own: routes remember topics, for one thread. */
    Routes newRoutes(int version) {
        return new Routes(scenario.versions().get(version), scenario.retry(), destinations);
    }

    /** The newest version that runs, which will be in force if nothing more happens: it sends everything anywhere. */
    long routeNow(Row row) {
        boolean newer = fleet.running().stream().anyMatch(relay -> relay.version() == 1);
        String only = row.onlyDestination();
        return only == null
                ? (newer ? newerRoutes : routes).routeOf(row.stream().topic())
                : destinations.mask(only);
    }

    Dice newDice() {
        return dice.split();
    }

    boolean isBroken(BrokenVariant variant) {
        return options.isBroken(variant);
    }

    /** Whether a fault may happen now. */
    boolean suffers(Fault fault) {
        return !quiet && scenario.has(fault);
    }

    /** Whether faults have ended for good. */
    boolean isQuiet() {
        return quiet;
    }

    void becomeQuiet() {
        quiet = true;
        databaseDown = false;
        recordingNothing = false;
        ledger.note("faults end");
    }

    /** An invariant does not hold: ends the simulation, unless that is expected of the engine. */
    void violated(Violation violation) {
        ExpectedFailure expected = ExpectedFailure.tolerated(violation.invariant());
        if (expected == null) {
            throw violation;
        }
        if (this.expected.putIfAbsent(expected, String.valueOf(violation.getMessage())) == null) {
            ledger.note("as expected: " + violation.getMessage());
        }
    }

    /** Rows with numbers of old, and with transactions that were long before, or that this cluster has not given yet. */
    void restore(int rows, boolean foreign, Dice dice) {
        for (int i = 0; i < rows; i++) {
            long number = dice.between(1, (int) Math.max(1, database.highestSeq()));
            if (database.unsorted().stream().anyMatch(row -> row.key().seq() == number)) {
                continue; // the tables have each number once
            }
            long tx = foreign ? 1_000_000 + dice.between(0, 3) : 1;
            String key = dice.chance(0.5) ? null : "free " + dice.between(1, 3);
            Stream stream = new Stream("", dice.pick(Scenario.TOPICS), key);
            UUID id = new UUID(0x2000L, ++restored);
            Content content = new Content(null, "text/plain", null, Map.of(), new byte[20], null);
            MessageStory story =
                    new MessageStory(new RowKey(database.laneOf(stream, id), number, id), stream, Script.NORMAL, false);
            story.foreign = true;
            ledger.begin(story);
            database.restore(id, stream, content, number, tx);
        }
    }

    Map<ExpectedFailure, String> expected() {
        return expected;
    }

    OperatorActions operators() {
        return operators;
    }

    /** The most rows that one answer has had so far. */
    int largestAnswer() {
        return largestAnswer;
    }

    void answered(int rows) {
        largestAnswer = Math.max(largestAnswer, rows);
    }

    boolean isDatabaseDown() {
        return databaseDown;
    }

    void setDatabaseDown(boolean down) {
        databaseDown = down;
        ledger.note(down ? "the database is down" : "the database is back");
    }

    /** Whether the database can be read, and nothing can be recorded. */
    boolean isRecordingNothing() {
        return recordingNothing;
    }

    void setRecordingNothing(boolean nothing) {
        recordingNothing = nothing;
        ledger.note(nothing ? "the database records nothing" : "the database records again");
    }

    /** The destinations of a route, by name. */
    List<String> destinationsOf(long route) {
        List<String> names = new ArrayList<>();
        for (String name : Scenario.DESTINATIONS) {
            if ((route & destinations.mask(name)) != 0) {
                names.add(name);
            }
        }
        return names;
    }
}
