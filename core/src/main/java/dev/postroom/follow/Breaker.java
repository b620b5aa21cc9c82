package dev.postroom.follow;

import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Stops the traffic to a destination, or of one topic or type there, after a failure that is not a message's own; then one message is
 * tried, less and less often. It is <em>open</em> while it stops traffic: what it guards is <em>held</em>, and otherwise <em>flowing</em>.
 *
 * <p>One that fails everything it is given answers all the time, so an answer says nothing: only a success closes the breaker then, and
 * several messages are tried in a round, because any of them may be at fault itself.
 */
final class Breaker {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int ROUND = 8;

    private final long firstPause;
    private final DoubleSupplier random;
    private boolean open;
    private String why = "";
    private long nextProbe;
    private int failedRounds;
    private boolean failing;
    /** How many more may be tried in this round, and whether one that was tried has failed. */
    private int leftInRound;

    private boolean roundFailed;
    private boolean atOnce;

    /** @param firstPause how long what it guards is left alone before the first message is tried */
    Breaker(Duration firstPause, DoubleSupplier random) {
        this.firstPause = firstPause.toNanos();
        this.random = random;
    }

    boolean isOpen() {
        return open;
    }

    String why() {
        return why;
    }

    /** By the engine's clock, when the next message may be tried. */
    long nextProbe() {
        return nextProbe;
    }

    boolean mayProbe(long now) {
        return open && (atOnce || isInRound() || now - nextProbe >= 0);
    }

    /** Whether others have been tried just now, and there may be more. */
    boolean isInRound() {
        return leftInRound > 0;
    }

    /**
     * How many messages are tried in a round. Half of them are left to those that have been tried before: a receiver may take
     * them now, and what was just written would keep them out.
     *
     * @param again how many with those, or new ones alone
     */
    int round(boolean again) {
        if (!failing) {
            return 1;
        }
        return again ? ROUND : ROUND / 2;
    }

    /** What it is behind is back: it may be as well, and pauses begin anew. */
    void tryAtOnce() {
        atOnce = open;
        failedRounds = 0;
    }

    /** One more is tried, as {@link #mayProbe} allows. */
    void probeSent() {
        atOnce = false;
        if (leftInRound == 0) {
            leftInRound = round(true);
            roundFailed = false;
        }
        leftInRound--;
    }

    /** Open because everything fails that is tried. */
    boolean isFailing() {
        return failing;
    }

    /**
     * Everything fails there.
     *
     * @return whether it was closed
     */
    boolean openForFailing(Outcome.Failed failed, String newWhy, long now) {
        boolean news = open(failed, false, now);
        failing = true;
        why = newWhy;
        return news;
    }

    /**
     * Stops the traffic, or goes on stopping it.
     *
     * @param probed whether the message that failed was to find out
     * @return whether it was closed
     */
    boolean open(Outcome.Failed failed, boolean probed, long now) {
        boolean news = !open;
        open = true;
        why = failing ? why : failed.error();
        if (news) {
            failedRounds = 0;
            leftInRound = 0;
            roundFailed = true;
        } else if (probed && !roundFailed) {
            roundFailed = true;
            failedRounds++;
        }
        if (news || probed || failed.retryAfter() != null) {
            nextProbe = now + failed.atLeast(Duration.ofNanos(pause())).toNanos();
        }
        return news;
    }

    /** A probe came back without an answer about what is guarded: the next one comes after a pause. */
    void probeReturned(long now) {
        nextProbe = now + pause();
    }

    /** Whether it was open. */
    boolean close() {
        boolean news = open;
        open = false;
        failing = false;
        leftInRound = 0;
        atOnce = false;
        why = "";
        return news;
    }

    /** Twice as long after each round that failed, and up to a fifth less, so that a fleet does not come all at once. */
    private long pause() {
        if (failedRounds == 0) {
            return firstPause;
        }
        double grown = Math.min(firstPause * Math.pow(2, failedRounds), (double) LONGEST_PAUSE.toNanos());
        return Math.max(firstPause, (long) (grown * (0.8 + 0.2 * random.getAsDouble())));
    }
}
