package dev.postroom.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R20")
@Tag("R22")
class VerdictTest {
    private static Verdict of(List<String> committed, String... arrived) {
        return Verdict.of(
                Set.copyOf(committed.stream().map(Order::parse).toList()),
                Stream.of(arrived).map(Order::parse).toList(),
                0,
                Map.of(Fault.KILL, 2));
    }

    @Test
    void all_in_order_and_some_twice_is_good() {
        Verdict verdict = of(List.of("1:1", "1:3", "2:1"), "1:1", "2:1", "1:1", "1:3", "1:1");
        assertThat(verdict.isGood()).isTrue();
        assertThat(verdict.delivered()).isEqualTo(3);
        assertThat(verdict.duplicated()).isEqualTo(2);
        assertThat(verdict.toString()).contains("2 kill", "nothing was lost");
    }

    @Test
    void one_that_never_arrived_is_lost() {
        Verdict verdict = of(List.of("1:1", "1:2"), "1:1");
        assertThat(verdict.lost()).isEqualTo(1);
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void one_that_came_after_a_later_one_of_its_customer_is_reordered() {
        Verdict verdict = of(List.of("1:1", "1:2"), "1:2", "1:1");
        assertThat(verdict.reordered()).isEqualTo(1);
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void one_that_was_rolled_back_and_arrived_is_invented() {
        Verdict verdict = of(List.of("1:1"), "1:1", "1:2");
        assertThat(verdict.invented()).isEqualTo(1);
        assertThat(verdict.isGood()).isFalse();
    }

    @Test
    void a_run_in_which_nothing_happened_shows_nothing() {
        assertThat(of(List.of()).isGood()).isFalse();
    }

    @Test
    void is_one_document() {
        assertThat(of(List.of("1:1"), "1:1").json())
                .isEqualTo("{\"published\":1,\"delivered\":1,\"dead\":0,\"lost\":0,\"invented\":0,\"duplicated\":0,"
                        + "\"reordered\":0,\"faults\":{\"kill\":2}}");
    }
}
