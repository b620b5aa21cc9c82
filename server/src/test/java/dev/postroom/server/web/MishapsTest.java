package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R55")
class MishapsTest {
    private final AtomicLong now = new AtomicLong();
    private final Mishaps mishaps = new Mishaps(now::get);

    @Test
    void each_kind_is_logged_once_a_minute_with_how_often_it_came() {
        assertThat(mishaps.due("a")).isEqualTo(1);
        assertThat(mishaps.due("a")).isZero();
        assertThat(mishaps.due("a")).isZero();
        assertThat(mishaps.due("b")).isEqualTo(1);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(mishaps.due("a")).isEqualTo(3);
    }
}
