package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineSettings;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.PageRequest;

/** I9: no command asks for more than the settings allow, and memory holds no more than that and one page. */
final class BoundsCheck implements Watcher {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_STREAMS = 64;

    private static final int ROUND = 8;

    private final World world;
    private final EngineSettings settings;

    BoundsCheck(World world) {
        this.world = world;
        this.settings = world.scenario.settings();
    }

    @Override
    public void commanded(RelayProcess relay, Command command) {
        if (command instanceof Command.Follow follow) {
            requireBounded(follow.request(), relay, command);
        } else if (command instanceof Command.ReadStreams read) {
            require(read.asks().size() <= MOST_STREAMS, relay, command);
        } else if (command instanceof Command.FindHeld find) {
            require(find.streams().size() <= MOST_KEYS, relay, command);
        } else if (command instanceof Command.Settle settle) {
            int outcomes = settle.batch().successes().size()
                    + settle.batch().failures().size();
            require(outcomes <= most(), relay, command);
        } else if (command instanceof Command.Suspect suspect) {
            require(suspect.suspects().size() <= most(), relay, command);
        }
    }

    private void requireBounded(PageRequest request, RelayProcess relay, Command command) {
        for (PageRequest.Range range : request.ranges()) {
            require(range.limit() <= settings.batchSize(), relay, command);
        }
        require(request.due().lanes().size() <= LaneStore.LANES, relay, command);
        require(request.due().limit() <= settings.bounds().dueRows(), relay, command);
        require(request.sweep().limit() <= settings.bounds().sweptKeys(), relay, command);
        require(request.lateLimit() <= settings.bounds().lateRows(), relay, command);
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
                    relay.name() + " has " + relay.inMemory() + " messages in memory, with " + allowed()
                            + " allowed and at most " + world.largestAnswer() + " rows read at once");
        }
    }

    private int most() {
        return allowed() + world.largestAnswer();
    }

    /**
     * Each destination has room for one message at least, whatever is allowed, for one more to try, one to try again, one of another
     * tenant, and a round of those to try of a type of which everything fails.
     */
    private int allowed() {
        int destinations = Scenario.DESTINATIONS.size();
        int most = Math.max(settings.maxInFlight(), destinations);
        return most + most / 4 + (3 + ROUND) * destinations;
    }
}
