package dev.postroom.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> NAMES = List.of("list", "show", "stats", "retry", "dead-letter");

    @Test
    void a_slip_finds_the_name_meant() {
        assertThat(Nearest.to("lst", NAMES)).contains("list");
        assertThat(Nearest.to("hsow", NAMES)).contains("show");
        assertThat(Nearest.to("STATS", NAMES)).contains("stats");
        assertThat(Nearest.to("deadletter", NAMES)).contains("dead-letter");
    }

    @Test
    void something_quite_different_finds_nothing() {
        assertThat(Nearest.to("zebra", NAMES)).isEmpty();
        assertThat(Nearest.hint("zebra", NAMES)).isEmpty();
        assertThat(Nearest.hint("lst", List.of())).isEmpty();
    }

    @Test
    void letters_are_counted_by_what_must_change() {
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
        assertThat(Nearest.distance("max-attemps", "max-attempts")).isEqualTo(1);
        assertThat(Nearest.distance("ab", "ba")).isEqualTo(1);
    }
}
