package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;

/**
 * What becomes of a single outcome that the database refuses for what is in it. A failure becomes a dead letter that cannot be
 * refused for its text. A success is never dead-lettered: its row goes without an archive entry. What is refused even so is
 * set aside.
 */
final class Refusals {
    private final EngineState state;
    private final Settling settling;

    Refusals(EngineState state, Settling settling) {
        this.state = state;
        this.settling = settling;
    }

    /** The only settlement of this work. */
    void refused(SettleWork work, String error) {
        Settlement settlement = work.settlements().get(0);
        if (settlement instanceof Settlement.Suspected suspected) {
            refusedCount(suspected.entry(), error);
        } else if (settlement instanceof Settlement.Failed failed && failed.refusal() == null) {
            settling.next(failed.asDeadLetter(error), false);
        } else if (settlement instanceof Settlement.Delivered delivered && work.archive()) {
            settling.next(delivered.refusedWith(error), false);
        } else {
            setAside(settlement, error);
        }
    }

    /** It was recorded after all, in another form: who listens is told when it is so, and not before. */
    void recorded(Settlement settlement) {
        if (settlement instanceof Settlement.Delivered delivered && delivered.refusal() != null) {
            state.listener.settleRefused(delivered.key(), Refusal.NOT_ARCHIVED, delivered.refusal());
        } else if (settlement instanceof Settlement.Failed failed && failed.refusal() != null) {
            state.listener.settleRefused(failed.key(), Refusal.DEAD_LETTERED, failed.refusal());
            if (!failed.diedBefore()) {
                state.listener.failed(
                        failed.entry().row,
                        failed.entry().failedAt,
                        failed.failure().cause().reason(),
                        failed.failure().cause().error(),
                        failed.failure().attempts(),
                        -1);
            }
        }
    }

    private void setAside(Settlement settlement, String error) {
        Settlement kept = settlement;
        if (settlement instanceof Settlement.Delivered delivered && delivered.entry() != null) {
            // It has gone where it had to go: nothing waits for it, and its payload need not be kept.
            kept = delivered.withoutEntry();
            settling.delivered(delivered.entry());
        } else if (settlement instanceof Settlement.Failed failed) {
            if (!failed.entry().present) {
                return; // its lane went, or somebody changed the row: what is in the database counts
            }
            failed.entry().setAside = true;
        }
        if (state.setAside.add(kept, error, state.nanos())) {
            state.listener.settleRefused(settlement.key(), Refusal.SET_ASIDE, error);
        }
    }

    /** A crash that cannot be counted might be the last of many; one that cannot be taken back stays counted. */
    private void refusedCount(Entry entry, String error) {
        entry.settling = false;
        if (entry.acquitted) {
            entry.acquitted = false;
            entry.lane.counted.put(entry.key().id(), entry.crashes);
            state.memory.ready.add(entry);
        } else {
            entry.failure = new Outcome.Failed(
                    FailureReason.POISON,
                    "it may have killed a relay, and the database refused to count that before it is sent again: "
                            + error,
                    Outcome.Scope.MESSAGE);
            settling.fail(entry);
        }
    }
}
