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
    void name_that_was_guessed_too_often_waits_for_the_rest_of_the_minute_and_no_other_does() {
        for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
            assertThat(limit.wait("proxy", "vera")).isZero();
            limit.failed("proxy", "vera");
        }
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        assertThat(limit.wait("proxy", "vera")).isEqualTo(Duration.ofSeconds(40));
        assertThat(limit.wait("elsewhere", "vera")).isZero();
        assertThat(limit.wait("proxy", "otto")).isZero();
        now.addAndGet(Duration.ofSeconds(40).toNanos());
        assertThat(limit.wait("proxy", "vera")).isZero();
        limit.failed("proxy", "vera");
        assertThat(limit.wait("proxy", "vera")).isZero();
    }

    @Test
    void memory_has_an_end() {
        for (int i = 0; i < SignInLimit.MOST_REMEMBERED + 500; i++) {
            limit.failed("address", "name " + i);
        }
        assertThat(limit.remembered()).isEqualTo(SignInLimit.MOST_REMEMBERED);
    }
}
