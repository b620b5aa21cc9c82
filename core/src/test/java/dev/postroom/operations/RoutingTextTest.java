package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.RoutingText.Line;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Destinations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R61")
class RoutingTextTest {
    private static final Destinations BITS = new Destinations(Map.of("a", 0, "b", 1));

    @Test
    void a_routing_is_told_route_by_route_in_the_order_in_which_they_are_tried() {
        assertThat(text(Route.of("orders.**", "b", "a"), Route.of("**", "a").onFailure(OnFailure.SKIP)))
                .isEqualTo("orders.** -> a, b (block)\n** -> a (skip)");
    }

    @Test
    void what_decides_where_a_message_goes_changes_the_fingerprint() {
        String one = print(Route.of("x", "a"), Route.of("**", "b"));
        assertThat(one).hasSize(32);
        assertThat(print(Route.of("**", "b"), Route.of("x", "a"))).as("order").isNotEqualTo(one);
        assertThat(print(Route.of("x", "a", "b"), Route.of("**", "b"))).isNotEqualTo(one);
        assertThat(print(Route.of("y", "a"), Route.of("**", "b"))).isNotEqualTo(one);
        assertThat(print(Route.of("x", "a").onFailure(OnFailure.SKIP), Route.of("**", "b")))
                .isNotEqualTo(one);
    }

    @Test
    void how_often_is_tried_and_which_destination_is_named_first_does_not() {
        assertThat(print(Route.of("x", "a", "b").retry(RetryPolicy.preset("patient"))))
                .isEqualTo(print(Route.of("x", "b", "a")));
    }

    @Test
    void no_topic_can_look_like_another_routing() {
        assertThat(print(Route.of("x -> a (block)\ny", "a")))
                .isNotEqualTo(print(Route.of("x", "a"), Route.of("y", "a")));
        assertThat(print(Route.of("x\\u000a", "a"))).isNotEqualTo(print(Route.of("x\n", "a")));
    }

    @Test
    void what_was_written_can_be_read() {
        RoutingText written = new RoutingText(text(Route.of("x -> y (z)", "a", "b"), Route.of("**", "a")));
        assertThat(written.lines())
                .containsExactly(
                        new Line("x -> y (z)", List.of("a", "b"), "block"), new Line("**", List.of("a"), "block"));
        assertThat(new RoutingText("of a newer version\n").lines()).isEmpty();
        assertThat(RoutingText.NONE.lines()).isEmpty();
        assertThat(RoutingText.NONE.fingerprint()).isEmpty();
    }

    private static String text(Route... routes) {
        return new Routes(List.of(routes), RetryPolicy.DEFAULT, BITS).text().text();
    }

    private static String print(Route... routes) {
        return new RoutingText(text(routes)).fingerprint();
    }
}
