package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private static Destination to(String name) {
        return Destination.of(name, new LogTransport());
    }

    private static Routing routing(List<Destination> destinations, Route... routes) {
        return new Routing(destinations, List.of(routes), RetryPolicy.DEFAULT);
    }

    @Test
    void sends_everything_to_the_only_destination() {
        assertThat(routing(List.of(to("a"))).routes()).containsExactly(Route.of("**", "a"));
    }

    @Test
    void says_what_is_missing() {
        assertThatThrownBy(() -> routing(List.of())).hasMessageContaining("deliverTo");
        assertThatThrownBy(() -> routing(List.of(to("a"), to("a"))))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("same name");
        assertThatThrownBy(() -> routing(List.of(to("a"), to("b")))).hasMessageContaining("no route");
    }

    @Test
    @Tag("R61")
    void addresses_are_no_part_of_the_routing_and_tell_no_secret() {
        Transport guarded = new Transport() {
            @Override
            public void send(Delivery delivery, Consumer<Outcome> outcome) {}

            @Override
            public String description() {
                return "broker of mellon-7";
            }

            @Override
            public Secrets secrets() {
                return Secrets.of(List.of("mellon-7"));
            }
        };
        Transport function = (delivery, outcome) -> {};
        Routing here = routing(List.of(Destination.of("a", guarded)));
        Routing there = routing(List.of(Destination.of("a", function)));
        assertThat(here.addresses()).containsExactly(Map.entry("a", "broker of ***"));
        assertThat(there.addresses()).containsExactly(Map.entry("a", "function"));
        assertThat(here.text()).isEqualTo(there.text());
    }

    @Test
    void a_destination_checks_its_settings() {
        assertThatThrownBy(() -> to("a b")).hasMessageContaining("'a b'");
        assertThatThrownBy(() -> to("a").rate(-1)).hasMessageContaining("postroom.destinations.a.rate");
        assertThatThrownBy(() -> to("a").timeout(Duration.ZERO))
                .hasMessageContaining("postroom.destinations.a.timeout");
    }
}
