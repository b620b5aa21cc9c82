package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R50")
class RollingWindowTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final RollingWindow window = new RollingWindow(nanos::get);

    private void pass(int seconds) {
        nanos.addAndGet(seconds * 1_000_000_000L);
    }

    @Test
    void window_that_is_empty_is_zero() {
        assertThat(window.publishedPerSecond()).isZero();
        assertThat(window.failureRatio()).isZero();
    }

    @Test
    void young_window_counts_by_its_own_age() {
        window.published();
        pass(1);
        window.published();
        assertThat(window.publishedPerSecond()).isEqualTo(1);
    }

    @Test
    void what_is_older_than_a_minute_is_forgotten() {
        for (int i = 0; i < 120; i++) {
            window.published();
            window.failed();
            pass(1);
        }
        assertThat(window.publishedPerSecond()).isBetween(0.95, 1.0);
        assertThat(window.failureRatio()).isEqualTo(0.5);
        pass(30);
        window.published();
        assertThat(window.failureRatio()).isBetween(0.4, 0.5);
        pass(60);
        assertThat(window.publishedPerSecond()).isZero();
        assertThat(window.failureRatio()).isZero();
        pass(10_000);
        window.failed();
        assertThat(window.failureRatio()).isEqualTo(1);
    }
}
