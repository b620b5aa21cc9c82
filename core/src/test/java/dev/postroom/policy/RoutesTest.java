package dev.postroom.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.Destinations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R29")
class RoutesTest {
    private static final Destinations BITS = new Destinations(Map.of("a", 0, "b", 5));

    private static Routes routes(Route... routes) {
        return new Routes(List.of(routes), RetryPolicy.DEFAULT, BITS);
    }

    @ParameterizedTest
    @CsvSource({
        "orders.created, orders.created, true",
        "orders.created, orders.createdx, false",
        "orders.*, orders.created, true",
        "orders.*, orders.created.eu, false",
        "orders.*, orders, false",
        "orders.**, orders.created.eu, true",
        "*.created, orders.created, true",
        "**, whatever.it.is, true",
        "a.b, aXb, false",
        "a(b, a(b, true",
    })
    void a_glob_matches_words(String glob, String topic, boolean matches) {
        assertThat(new TopicPattern(glob).matcher().test(topic)).isEqualTo(matches);
    }

    @Test
    void the_first_route_that_matches_decides() {
        Routes routes =
                routes(Route.of("orders.created", "a", "b").onFailure(OnFailure.SKIP), Route.of("orders.**", "b"));
        assertThat(routes.routeOf("orders.created")).isEqualTo(0b100001);
        assertThat(routes.routeOf("orders.paid")).isEqualTo(0b100000);
        assertThat(routes.routeOf("invoices")).isZero();
        assertThat(routes.onFailure("orders.created")).isEqualTo(OnFailure.SKIP);
        assertThat(routes.onFailure("orders.paid")).isEqualTo(OnFailure.BLOCK);
        assertThat(routes.onFailure("invoices")).isEqualTo(OnFailure.BLOCK);
    }

    @Test
    @Tag("R24")
    void a_schedule_is_found_by_reason_then_type_then_route() {
        RetryPolicy quick = RetryPolicy.preset("quick");
        RetryPolicy fixed = RetryPolicy.preset("fixed");
        RetryPolicy patient = RetryPolicy.preset("patient");
        Routes routes = routes(
                Route.of("orders", "a")
                        .retry(quick)
                        .retryOfType("order.paid", fixed)
                        .retryAfter(FailureReason.TIMEOUT, patient),
                Route.of("**", "a"));
        assertThat(routes.retry("orders", "order.paid", FailureReason.TIMEOUT)).isEqualTo(patient);
        assertThat(routes.retry("orders", "order.paid", FailureReason.UNKNOWN)).isEqualTo(fixed);
        assertThat(routes.retry("orders", null, FailureReason.UNKNOWN)).isEqualTo(quick);
        assertThat(routes.retry("others", null, FailureReason.UNKNOWN)).isEqualTo(RetryPolicy.DEFAULT);
    }

    @Test
    void a_route_to_nowhere_is_refused() {
        assertThatThrownBy(() -> routes(Route.of("orders", "c")))
                .isInstanceOf(PostroomException.class)
                .hasMessage("the route of topic 'orders' names destination 'c', which is not configured: have [a, b]");
        assertThatThrownBy(() -> Route.of("orders")).hasMessageContaining("has no destination");
        assertThatThrownBy(() -> Route.of("orders", "a", "a")).hasMessageContaining("names a destination twice");
        assertThatThrownBy(() -> Route.of(" ", "a")).hasMessageContaining("needs a topic");
    }
}
