package dev.postroom.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.NodeItem;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeDetailsTest {
    private static NodeDetails of(String details) {
        return NodeDetails.of(new NodeItem("r", "h", "1", Instant.EPOCH, Instant.EPOCH, true, 64, details));
    }

    @Test
    void tell_what_is_held_and_why() {
        NodeDetails details = of("""
                {"inFlight":3,"held":[
                  {"cause":"breaker","destination":"billing","topic":null,"why":"connection refused"},
                  {"cause":"no_route","destination":null,"topic":"unknown","why":"no route"}]}""");
        assertThat(details.inFlight()).isEqualTo(3);
        assertThat(details.held())
                .containsExactly("destination billing: connection refused", "topic unknown: no route");
    }

    @Test
    void of_a_stranger_are_empty() {
        assertThat(of("{}")).isEqualTo(new NodeDetails(0, List.of()));
        assertThat(of("broken")).isEqualTo(new NodeDetails(0, List.of()));
    }
}
