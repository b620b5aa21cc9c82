package dev.postroom.follow;

import dev.postroom.spi.Outcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message in memory on its way to one destination: queued, sent, confirmed or failed, then settled and gone. */
final class Delivery {
    private enum Phase {
        QUEUED,
        SENT,
        CONFIRMED,
        FAILED,
        GONE
    }

    private final Message message;
    private final Track track;
    /** The next one of the message. */
    private @Nullable Delivery sibling;

    private Phase phase = Phase.QUEUED;
    /** Handed to the settler, whose answer has not come. */
    private boolean settling;
    /** Which version of the row it was decided on. */
    private int version;

    private Outcome.@Nullable Failed failure;
    private boolean inLine;
    private boolean probe;
    private boolean spared;
    private boolean givenUp;
    private boolean wasSent;
    private long sentAt;
    /** How many attempts the row had seen when this one began. */
    private int attemptsBefore;

    /** Where it stands in its stream, while it is ordered. */
    private @Nullable StreamQueue queue;

    Delivery(Message message, Track track, int version, @Nullable Delivery sibling) {
        this.message = message;
        this.track = track;
        this.version = version;
        this.sibling = sibling;
    }

    Message message() {
        return message;
    }

    Track track() {
        return track;
    }

    Destination destination() {
        return track.destination();
    }

    @Nullable
    Delivery sibling() {
        return sibling;
    }

    void skipSibling() {
        sibling = Objects.requireNonNull(sibling).sibling;
    }

    long seq() {
        return message.seq();
    }

    int version() {
        return version;
    }

    /** The row changed, and what becomes of this delivery may be recorded over the new version. */
    void adoptVersion(int newVersion) {
        version = newVersion;
    }

    @Nullable
    StreamQueue queue() {
        return queue;
    }

    boolean isInLine() {
        return inLine;
    }

    /** For its {@link Line} only. */
    void inLine(boolean newInLine) {
        inLine = newInLine;
    }

    void standIn(@Nullable StreamQueue newQueue) {
        queue = newQueue;
    }

    boolean isOrdered() {
        return queue != null;
    }

    boolean isQueued() {
        return phase == Phase.QUEUED;
    }

    boolean isSent() {
        return phase == Phase.SENT;
    }

    boolean isConfirmed() {
        return phase == Phase.CONFIRMED;
    }

    /** Failed, and no answer of the settler yet: what has become of its row is not known. */
    boolean isFailing() {
        return phase == Phase.FAILED;
    }

    boolean isGone() {
        return phase == Phase.GONE;
    }

    boolean isSettling() {
        return settling;
    }

    /** Whether order lets it go now. */
    boolean mayGo() {
        return phase == Phase.QUEUED && (queue == null || queue.lets(this));
    }

    /** Others of its stream may have gone past it, and are behind it again. */
    void gateOpened() {
        if (queue != null) {
            queue.next();
        }
    }

    Outcome.Failed failure() {
        return Objects.requireNonNull(failure);
    }

    /** Sent to find out whether what stops the others still does. */
    boolean isProbe() {
        return probe;
    }

    void sent(boolean asProbe, long now) {
        move(Phase.QUEUED, Phase.SENT);
        probe = asProbe;
        wasSent = true;
        sentAt = now;
        attemptsBefore = message.attempts();
    }

    /** Whether a destination was involved in what became of it. */
    boolean wasSent() {
        return wasSent;
    }

    /** By the engine's clock. */
    long sentAt() {
        return sentAt;
    }

    int attemptsBefore() {
        return attemptsBefore;
    }

    void returned() {
        move(Phase.SENT, Phase.QUEUED);
    }

    void confirmed() {
        move(Phase.SENT, Phase.CONFIRMED);
    }

    void failed(Outcome.Failed why) {
        if (phase == Phase.QUEUED) {
            phase = Phase.SENT; // it failed before it was sent: there is a defect in it, or it killed too many relays
            wasSent = false;
            attemptsBefore = message.attempts();
        }
        move(Phase.SENT, Phase.FAILED);
        failure = why;
    }

    /** It failed with everything else: that is recorded, and spends no attempt. */
    void spare() {
        spared = true;
    }

    boolean isSpared() {
        return spared;
    }

    /** It failed as often before, and this was the last time, however many attempts it has left. */
    void giveUp() {
        givenUp = true;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Whether it ends the message's life, whatever attempts it has left. */
    boolean isFatal() {
        return givenUp || (!spared && failure().reason().isPermanent());
    }

    void handedOver() {
        if (settling || (phase != Phase.CONFIRMED && phase != Phase.FAILED)) {
            throw new IllegalStateException("nothing is to be settled of a delivery that is " + this);
        }
        settling = true;
    }

    /** What it came to was not recorded, and is to be handed over again. */
    void handedBack() {
        settling = false;
    }

    void gone() {
        phase = Phase.GONE;
        settling = false;
    }

    private void move(Phase from, Phase to) {
        if (phase != from) {
            throw new IllegalStateException("cannot become " + to + ": " + this);
        }
        phase = to;
    }

    @Override
    public String toString() {
        return message + " to " + destination().name() + " " + phase + (settling ? " settling" : "");
    }
}
