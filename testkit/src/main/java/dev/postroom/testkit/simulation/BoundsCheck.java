package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineSettings;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;

/** I9: no command asks for more than the settings allow, and memory holds no more than that and one page. */
final class BoundsCheck implements Watcher {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_HOLDERS = 1_000;

    private final World world;
    private final EngineSettings settings;

    BoundsCheck(World world) {
        this.world = world;
        this.settings = world.scenario.settings();
    }

    @Override
    public void commanded(RelayProcess relay, Command command) {
        if (command instanceof Command.Read read) {
            require(read.request().lanes().size() <= LaneStore.LANES, relay, command);
            for (MessageReader.LanePosition lane : read.request().lanes()) {
                require(lane.limit() >= 0 && lane.limit() <= settings.batchSize(), relay, command);
            }
        } else if (command instanceof Command.ReadDue due) {
            int limit = due.request().limitPerLane();
            require(limit >= 1 && limit <= settings.batchSize(), relay, command);
        } else if (command instanceof Command.Fetch fetch) {
            require(fetch.keys().size() <= MOST_KEYS, relay, command);
        } else if (command instanceof Command.FetchReady fetch) {
            require(fetch.seqs().size() <= MOST_KEYS, relay, command);
        } else if (command instanceof Command.FindHolders find) {
            require(find.limit() <= MOST_HOLDERS, relay, command);
        } else if (command instanceof Command.Settle settle) {
            int outcomes = settle.batch().successes().size()
                    + settle.batch().failures().size();
            require(outcomes <= most(), relay, command);
        } else if (command instanceof Command.Suspect suspect) {
            require(suspect.suspects().size() <= most(), relay, command);
        }
    }

    private void require(boolean met, RelayProcess relay, Command command) {
        if (!met) {
            throw new Violation(Invariant.I9, null, relay.name() + " wants too much at once: " + command);
        }
    }

    @Override
    public void turned(RelayProcess relay) {
        if (relay.inMemory() > most()) {
            throw new Violation(
                    Invariant.I9,
                    null,
                    relay.name() + " has " + relay.inMemory() + " messages in memory, with " + settings.maxInFlight()
                            + " allowed and at most " + world.largestAnswer() + " rows read at once");
        }
    }

    private int most() {
        return settings.maxInFlight() + world.largestAnswer();
    }
}
