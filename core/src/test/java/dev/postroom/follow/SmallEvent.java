package dev.postroom.follow;

import dev.postroom.follow.Scope.Budget;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens in a {@link SmallWorld}.
 *
 * @param what a row's index; or a topic, a stream, a position, by its kind
 */
record SmallEvent(Kind kind, int what, int destination) {
    enum Kind {
        COMMIT(null),
        READ_PAGE(null),
        READ_STREAM(null),
        READ_FLOOR(null),
        SWEEP(Budget.SWEEP),
        ANSWER(null),
        READ_FAILS(Budget.READ_FAILURE),
        REREAD(null),
        RESCAN(null),
        SEND(null),
        CONFIRM(null),
        FAIL(Budget.FAIL),
        DIE(Budget.DIE),
        HOLD(Budget.CLOSE),
        HOLD_TOPIC(Budget.PAUSE),
        RETURN(Budget.RETURN),
        SETTLE(null),
        SETTLE_AGAIN(Budget.LOST_ANSWER),
        SETTLE_ANSWER(null),
        CLOSE(Budget.CLOSE),
        OPEN(null),
        PAUSE(Budget.PAUSE),
        RESUME(null),
        TICK(null),
        RELEASE(Budget.OPERATOR),
        RETRY(Budget.OPERATOR),
        SKIP(Budget.OPERATOR),
        RESTART(Budget.RESTART),
        START_OVER(Budget.RESTART);

        final @Nullable Budget budget;

        Kind(@Nullable Budget budget) {
            this.budget = budget;
        }
    }

    @Override
    public String toString() {
        String name = kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
        return switch (kind) {
            case COMMIT, SETTLE, SETTLE_AGAIN, SETTLE_ANSWER, RELEASE, RETRY, SKIP -> name + " " + (what + 1);
            case READ_PAGE -> what < 0 ? name : name + " and from " + what;
            case READ_STREAM -> name + " K" + what + "@" + "de".charAt(destination);
            case SEND, CONFIRM, FAIL, DIE, HOLD, HOLD_TOPIC, RETURN ->
                name + " " + (what + 1) + "@" + "de".charAt(destination);
            case PAUSE, RESUME -> name + " " + "ab".charAt(what) + "@" + "de".charAt(destination);
            case CLOSE, OPEN, REREAD -> name + " " + "de".charAt(destination);
            case READ_FLOOR, SWEEP, ANSWER, READ_FAILS, RESCAN, TICK, RESTART, START_OVER -> name;
        };
    }
}
