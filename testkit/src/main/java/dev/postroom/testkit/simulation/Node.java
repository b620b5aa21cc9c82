package dev.postroom.testkit.simulation;

import dev.postroom.engine.Moment;

/** A machine with its two clocks. */
final class Node {
    private static final long START_MILLIS = 1_767_225_600_000L;

    private final int number;
    private final Timeline timeline;
    private final boolean monotonicIsWall;
    private final long monotonicStart;
    private long sleptNanos;
    private long wallOffsetMillis;
    private int version;

    Node(int number, Timeline timeline, boolean monotonicIsWall, long monotonicStart) {
        this.number = number;
        this.timeline = timeline;
        this.monotonicIsWall = monotonicIsWall;
        this.monotonicStart = monotonicStart;
    }

    int number() {
        return number;
    }

    /** Which of the scenario's routes a relay has that starts here. */
    int version() {
        return version;
    }

    void deploy(int newVersion) {
        version = newVersion;
    }

    long nanos() {
        return monotonicStart
                + timeline.now()
                + (monotonicIsWall ? wallOffsetMillis * Dice.MILLI : 0)
                - (monotonicIsWall ? 0 : sleptNanos);
    }

    Moment moment() {
        return new Moment(nanos(), START_MILLIS + timeline.now() / Dice.MILLI + wallOffsetMillis);
    }

    /** When this node's monotonic clock will show so much, in virtual time. */
    long whenNanos(long nanos) {
        long wait = nanos - nanos();
        return wait <= 0 ? timeline.now() : timeline.now() + Math.min(wait, 400L * 86_400 * Dice.SECOND);
    }

    /** The monotonic clock has stood still for so long, up to now. */
    void slept(long nanos) {
        sleptNanos += nanos;
    }

    void setWallClock(long byMillis) {
        wallOffsetMillis += byMillis;
    }
}
