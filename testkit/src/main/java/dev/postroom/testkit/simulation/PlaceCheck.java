package dev.postroom.testkit.simulation;

import dev.postroom.engine.Locating;
import dev.postroom.engine.Locating.Whereabouts;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.RowState;
import dev.postroom.testkit.simulation.database.Personality;
import dev.postroom.testkit.simulation.database.Row;

/**
 * A ready row that is owed to a destination is somewhere, after every turn: so a loss shows when it happens, and not when
 * nothing comes any more. What only a sweep can find may be nowhere until then.
 */
final class PlaceCheck implements Watcher {
    private final World world;

    PlaceCheck(World world) {
        this.world = world;
    }

    @Override
    public void turned(RelayProcess relay) {
        Locating engine = relay.engine();
        for (Row row : world.database.unsorted()) {
            if (row.state() == RowState.READY && !isLeftToTheSweep(row) && world.database.hasSeen(engine.mark(), row)) {
                requirePlace(relay, engine, row);
            }
        }
    }

    private boolean isLeftToTheSweep(Row row) {
        boolean late = world.database.shape().personality() == Personality.PORTABLE && row.isCommittedLate();
        return late || world.ledger.story(row.key()).foreign;
    }

    private void requirePlace(RelayProcess relay, Locating engine, Row row) {
        long owed = relay.owing().destinations(row.stream().topic(), row.onlyDestination()) & ~row.completed();
        FollowedMessage read = null;
        for (String destination : world.destinationsOf(owed)) {
            read = read == null ? world.database.asRead(row, relay.owing()) : read;
            if (engine.whereIs(read, destination) == Whereabouts.NOWHERE) {
                throw new Violation(
                        Invariant.PLACED,
                        row.key(),
                        relay.name() + " owes it to " + destination + " and has it nowhere: " + row);
            }
        }
    }
}
