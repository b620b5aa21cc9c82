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
    void names_with_the_same_hash_code_are_two() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        guess("proxy", "Aa");
        assertThat(limit.wait("proxy", "Aa")).isPositive();
        assertThat(limit.wait("proxy", "BB")).isZero();
    }

    @Test
    void whoever_has_a_whole_network_of_ipv6_is_one() {
        guess("2001:db8:1:2:3::4", "vera");
        assertThat(limit.wait("2001:db8:1:2:ffff:ffff:ffff:ffff", "vera")).isPositive();
        assertThat(limit.wait("2001:db8:1:3::4", "vera")).isZero();
        guess("203.0.113.1", "vera");
        assertThat(limit.wait("203.0.113.2", "vera")).isZero();
    }

    private void guess(String address, String name) {
        for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
            limit.failed(address, name);
        }
    }

    @Test
    void memory_has_an_end() {
        for (int i = 0; i < SignInLimit.MOST_REMEMBERED + 500; i++) {
            limit.failed("address", "name " + i);
        }
        assertThat(limit.remembered()).isEqualTo(SignInLimit.MOST_REMEMBERED);
    }
}
