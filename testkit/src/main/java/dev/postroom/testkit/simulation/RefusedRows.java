package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;

/** Rows about which the database refuses to record something, as a constraint would that somebody has added. */
final class RefusedRows {
    private final World world;

    RefusedRows(World world) {
        this.world = world;
    }

    /** What is refused of a row; most are taken as they are. */
    private enum Curse {
        NONE,
        NOT_ARCHIVED,
        NO_RETRY,
        NOTHING_AT_ALL
    }

    private Curse curse(RowKey key) {
        if (!world.scenario.has(Fault.REFUSED_VALUES)) {
            return Curse.NONE;
        }
        return switch ((int) (key.seq() % 9)) {
            case 2 -> Curse.NOT_ARCHIVED;
            case 4 -> Curse.NO_RETRY;
            case 7 -> Curse.NOTHING_AT_ALL;
            default -> Curse.NONE;
        };
    }

    /** Whether its failure may have become a dead letter that it need not have been. */
    boolean mayDie(RowKey key) {
        return curse(key) == Curse.NO_RETRY || mayBeSetAside(key);
    }

    /** Whether relays may not know that another one delivered it. */
    boolean mayBeSetAside(RowKey key) {
        return curse(key) == Curse.NOTHING_AT_ALL;
    }

    /** Whether the database refuses this as long as there are faults. */
    boolean refuses(Command command) {
        if (!world.suffers(Fault.REFUSED_VALUES)) {
            return false;
        }
        if (command instanceof Command.Suspect suspect) {
            return suspect.suspects().stream().anyMatch(one -> mayBeSetAside(one.key()));
        }
        return command instanceof Command.Settle settle && refuses(settle.batch());
    }

    private boolean refuses(MessageSettler.Batch batch) {
        for (MessageSettler.Success success : batch.successes()) {
            Curse curse = curse(success.key());
            if (curse == Curse.NOTHING_AT_ALL || (curse == Curse.NOT_ARCHIVED && batch.archive())) {
                return true;
            }
        }
        for (MessageSettler.Failure failure : batch.failures()) {
            Curse curse = curse(failure.key());
            if (curse == Curse.NOTHING_AT_ALL || (curse == Curse.NO_RETRY && failure.retryAfter() != null)) {
                return true;
            }
        }
        return false;
    }
}
