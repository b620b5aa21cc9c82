package dev.postroom.follow;

import org.jspecify.annotations.Nullable;

/** Goes through a lane for one destination: everything of its part up to its position was offered there. */
final class Follower {
    private final @Nullable Part part;
    private long position;
    /** The walk in which it was stopped, and the page in which its part refused a row: it is not carried on in these. */
    private long stoppedInWalk = -1;

    private long carriedInWalk = -1;

    private long refusedInPage = -1;
    /** It was stopped because no more streams can be remembered. */
    private boolean lacksRoom;

    /** Of everything when the part is null. */
    Follower(@Nullable Part part, long position) {
        this.part = part;
        this.position = position;
    }

    @Nullable
    Part part() {
        return part;
    }

    long position() {
        return position;
    }

    boolean hasReached(long seq) {
        return position >= seq;
    }

    boolean belongs(Message message, boolean ordered) {
        return part == null || part.belongs(message, ordered);
    }

    boolean isAble() {
        return part == null || part.isAble();
    }

    /**
     * Whether a walk that began behind {@code after} carries it over {@code seq}; also when it was carried there just now, by a row of the
     * same number: numbers repeat after a failover.
     */
    boolean rides(Walk walk, long seq) {
        boolean isBefore = position >= walk.after() && position < seq;
        return (isBefore || (position == seq && carriedInWalk == walk.number()))
                && stoppedInWalk != walk.number()
                && refusedInPage != walk.page()
                && isAble();
    }

    void carryTo(long seq, Walk walk) {
        position = seq;
        carriedInWalk = walk.number();
        lacksRoom = false;
    }

    void stopBefore(long seq, Walk walk, boolean forRoom) {
        position = seq - 1;
        stoppedInWalk = walk.number();
        lacksRoom = forRoom;
    }

    boolean lacksRoom() {
        return lacksRoom;
    }

    /** What it was stopped by may go without being remembered now. */
    void tryAgain() {
        lacksRoom = false;
    }

    void refusedIn(long page) {
        refusedInPage = page;
    }

    void goBackBefore(long seq) {
        position = Math.min(position, Math.max(0, seq - 1));
    }
}
