package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R61")
class AddressDifferenceTest {
    private static NodeItem relay(String name, boolean alive, Map<String, String> addresses) {
        RelayReport report = new RelayReport(
                0,
                List.of(),
                0,
                0,
                RelayReport.Minute.NOTHING,
                0,
                0,
                RelayReport.Recording.FINE,
                RelayReport.Reading.FINE,
                null,
                null,
                addresses);
        return new NodeItem(name, "host", "1", Instant.EPOCH, Instant.EPOCH, alive, 32, "{}", "", report);
    }

    @Test
    void destination_at_two_addresses_is_told_with_who_delivers_where() {
        List<AddressDifference> told = AddressDifference.of(List.of(
                relay("relay-3", true, Map.of("billing", "kafka b:9092", "audit", "log")),
                relay("relay-2", true, Map.of("billing", "kafka a:9092", "audit", "log")),
                relay("relay-1", true, Map.of("billing", "kafka a:9092"))));
        assertThat(told)
                .extracting(AddressDifference::text)
                .containsExactly("billing is kafka a:9092 to relay-1, relay-2; kafka b:9092 to relay-3");
    }

    @Test
    void relay_that_is_gone_differs_from_nobody() {
        assertThat(AddressDifference.of(List.of(
                        relay("relay-1", true, Map.of("billing", "kafka a:9092")),
                        relay("relay-2", false, Map.of("billing", "kafka b:9092")))))
                .isEmpty();
    }
}
