package dev.postroom.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.view.DestinationView.Breaker;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.RelayReport;
import dev.postroom.operations.RelayReport.Held;
import dev.postroom.operations.RelayReport.Minute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R54")
class DestinationViewTest {
    private static NodeItem relay(String name, boolean alive, Held... held) {
        RelayReport report = new RelayReport(
                0,
                List.of(held),
                0,
                0,
                Minute.NOTHING,
                0,
                0,
                RelayReport.Recording.FINE,
                RelayReport.Reading.FINE,
                null,
                null,
                Map.of());
        return new NodeItem(name, "host", "1", Instant.EPOCH, Instant.EPOCH, alive, 32, "{}", "", report);
    }

    private static Held breaker(String destination, @Nullable String topic) {
        return new Held(Held.BREAKER, destination, topic, null, "refused");
    }

    @Test
    void breakers_are_those_that_live_relays_hold_of_this_destination() {
        DestinationView view = DestinationView.of(
                new DestinationItem("out", null),
                List.of(
                        relay("a", true, breaker("out", null), breaker("other", null)),
                        relay("b", true, breaker("out", null), breaker("out", "orders")),
                        relay("c", true, new Held(Held.PAUSE, "out", null, null, "paused")),
                        relay("d", false, breaker("out", "bills"))));
        assertThat(view.breakers())
                .containsExactly(
                        new Breaker(null, null, "refused", List.of("a", "b")),
                        new Breaker("orders", null, "refused", List.of("b")));
    }
}
