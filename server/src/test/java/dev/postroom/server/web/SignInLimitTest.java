package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R55")
class SignInLimitTest {
    private final AtomicLong now = new AtomicLong();
    private final SignInLimit limit = new SignInLimit(now::get);

    @Test
    void address_that_guessed_too_often_waits_for_the_rest_of_the_minute() {
        for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
            assertThat(limit.wait("a")).isZero();
            limit.failed("a");
        }
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(limit.wait("a")).isEqualTo(Duration.ofSeconds(40));
        assertThat(limit.wait("b")).isZero();
        now.addAndGet(Duration.ofSeconds(40).toNanos());
        assertThat(limit.wait("a")).isZero();
        limit.failed("a");
        assertThat(limit.wait("a")).isZero();
    }

    @Test
    void memory_has_an_end() {
        for (int i = 0; i < SignInLimit.MOST_ADDRESSES + 500; i++) {
            limit.failed("address " + i);
        }
        assertThat(limit.addresses()).isEqualTo(SignInLimit.MOST_ADDRESSES);
    }
}
