package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R55")
class LoopbackGuardTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:8080"})
    void names_of_this_machine_are_let_through(String host) {
        assertThat(LoopbackGuard.isLoopback(host)).isTrue();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "evil.example",
                "127.0.0.1.evil.example",
                "127.evil.example",
                "localhost.evil.example",
                "localhost:80@evil.example",
                "evil.example:localhost",
                "192.168.0.1"
            })
    void names_that_only_look_like_it_are_not(String host) {
        assertThat(LoopbackGuard.isLoopback(host)).isFalse();
    }
}
