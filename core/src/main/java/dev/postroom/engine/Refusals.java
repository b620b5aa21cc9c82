package dev.postroom.engine;

/**
 * What becomes of a single outcome that the database refuses for what is in it. A failure becomes a dead letter that cannot be
 * refused for its text. A success is never dead-lettered: its row goes without an archive entry. What is refused even so is
 * set aside.
 */
public final class Refusals {
    /** Why a message is dead whose crash could not be counted; followed by what the database said. */
    public static final String NOT_COUNTED =
            "it may have killed a relay, and the database refused to count that before it is sent again: ";

    private final SetAside setAside;
    private final EngineListener listener;
    private final Desk desk;

    /** Who gives settlements to the database. */
    public interface Desk {
        /** To be given before anything else. */
        void next(Settlement settlement, boolean archive);

        /** It has gone where it had to go, and nothing waits for its being recorded. */
        void delivered(Settlement.Subject subject);

        /** Its failure cannot be recorded: it stays as it is. */
        void setAside(Settlement.Subject subject);

        void notCounted(Settlement.Subject subject, String error);
    }

    public Refusals(SetAside setAside, EngineListener listener, Desk desk) {
        this.setAside = setAside;
        this.listener = listener;
        this.desk = desk;
    }

    /** The only settlement of this work. */
    public void refused(SettleWork work, String error, long now) {
        Settlement settlement = work.settlements().get(0);
        if (settlement instanceof Settlement.Suspected suspected) {
            desk.notCounted(suspected.subject(), error);
        } else if (settlement instanceof Settlement.Failed failed && failed.refusal() == null) {
            desk.next(failed.asDeadLetter(error), false);
        } else if (settlement instanceof Settlement.Delivered delivered && work.archive()) {
            desk.next(delivered.refusedWith(error), false);
        } else {
            setAside(settlement, error, now);
        }
    }

    /** It was recorded after all, in another form: who listens is told when it is so, and not before. */
    public void recorded(Settlement settlement) {
        if (settlement instanceof Settlement.Delivered delivered && delivered.refusal() != null) {
            listener.settleRefused(delivered.key(), Refusal.NOT_ARCHIVED, delivered.refusal());
        } else if (settlement instanceof Settlement.Failed failed && failed.refusal() != null) {
            listener.settleRefused(failed.key(), Refusal.DEAD_LETTERED, failed.refusal());
            if (!failed.diedBefore()) {
                listener.failed(
                        failed.subject().row(),
                        failed.subject().failedAt(),
                        failed.failure().cause().reason(),
                        failed.failure().cause().error(),
                        failed.failure().attempts(),
                        -1);
            }
        }
    }

    private void setAside(Settlement settlement, String error, long now) {
        Settlement kept = settlement;
        if (settlement instanceof Settlement.Delivered delivered && delivered.subject() != null) {
            // Nothing waits for it, and its payload need not be kept.
            kept = delivered.withoutSubject();
            desk.delivered(delivered.subject());
        } else if (settlement instanceof Settlement.Failed failed) {
            if (!failed.subject().isPresent()) {
                // What is in the database counts, and what was confirmed with the failure.
                Settlement.Delivered confirmed = failed.confirmedOnly();
                if (confirmed != null) {
                    desk.next(confirmed, false);
                }
                return;
            }
            desk.setAside(failed.subject());
        }
        if (setAside.add(kept, error, now)) {
            listener.settleRefused(settlement.key(), Refusal.SET_ASIDE, error);
        }
    }
}
