package dev.postroom.benchmark;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * How long it took to answer a question, or why it was not answered.
 *
 * @param error null if it was answered every time
 */
record AdminAnswer(
        long medianMicros, long maxMicros, @Nullable String error) {

    /** Asks once to warm up, and then so many times. */
    static AdminAnswer to(Callable<?> question, int rounds) {
        long[] micros = new long[rounds];
        try {
            Objects.requireNonNull(question.call());
            for (int round = 0; round < rounds; round++) {
                long start = System.nanoTime();
                Objects.requireNonNull(question.call());
                micros[round] = (System.nanoTime() - start) / 1_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(e);
        } catch (Exception e) {
            return failed(e);
        }
        Arrays.sort(micros);
        return new AdminAnswer(micros[rounds / 2], micros[rounds - 1], null);
    }

    private static AdminAnswer failed(Exception e) {
        return new AdminAnswer(0, 0, e.toString());
    }

    boolean isFailed() {
        return error != null;
    }
}
