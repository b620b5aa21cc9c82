package dev.postroom.testkit.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** Chance, from a seed. */
final class Dice {
    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final long SECOND = 1_000_000_000;

    private final SplittableRandom random;

    Dice(long seed) {
        this(new SplittableRandom(seed));
    }

    private Dice(SplittableRandom random) {
        this.random = random;
    }

    /** Dice of their own for another part, so that switching one part off changes no other's luck. */
    Dice split() {
        return new Dice(random.split());
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    double share() {
        return random.nextDouble();
    }

    long bits() {
        return random.nextLong();
    }

    /** Both ends included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Nanoseconds between two numbers of milliseconds. */
    long millis(long least, long most) {
        return random.nextLong(least * MILLI, most * MILLI + 1);
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
