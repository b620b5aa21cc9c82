package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.DeliveryTime;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.Store;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lanes are hashes: whatever keys look like, no lane may be left out or crowded. */
@Tag("R8")
class LaneDistributionTest {
    private static final int MESSAGES = 6_400;

    @ParameterizedTest
    @EnumSource
    void similar_keys_are_spread_evenly_over_all_lanes(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Databases.store(database).schema().migrate();
        assertEven(lanes(database, n -> new Stream("", "orders", String.valueOf(n))));
        assertEven(lanes(database, n -> new Stream("", "orders", "customer-" + n * 16)));
        assertEven(lanes(database, n -> new Stream("", "orders-" + n, n + ", in front")));
        assertEven(lanes(database, n -> new Stream("", "orders", null)));
    }

    @ParameterizedTest
    @EnumSource
    void every_tenant_has_eight_lanes_and_together_they_use_all(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Databases.store(database).schema().migrate();
        int tenants = 64;
        List<Integer> lanes =
                lanes(database, n -> new Stream("tenant-" + n % tenants, "orders", n % 3 == 0 ? null : "key-" + n));
        for (int tenant = 0; tenant < tenants; tenant++) {
            int first = tenant;
            assertThat(IntStream.range(0, MESSAGES)
                            .filter(n -> n % tenants == first)
                            .mapToObj(lanes::get)
                            .distinct())
                    .as("tenant-%d", tenant)
                    .hasSize(8);
        }
        assertThat(lanes.stream().distinct()).hasSizeGreaterThan(60);
    }

    /** A hundred are expected in each; so far off is one in a million. */
    private static void assertEven(List<Integer> lanes) {
        Map<Integer, Long> counts = lanes.stream().collect(Collectors.groupingBy(lane -> lane, Collectors.counting()));
        assertThat(counts).hasSize(LaneStore.LANES);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(45L, 170L));
    }

    private static List<Integer> lanes(TestDatabase database, IntFunction<Stream> stream) throws SQLException {
        Store store = Databases.store(database);
        List<NewMessage> messages = new ArrayList<>();
        for (int n = 0; n < MESSAGES; n++) {
            messages.add(message(stream.apply(n), null));
        }
        try (Connection connection = database.connect()) {
            List<Published> published = store.writer().write(connection, messages);
            assertThat(published).isSortedAccordingTo((a, b) -> Long.compare(a.seq(), b.seq()));
            return published.stream().map(Published::lane).toList();
        }
    }

    private static NewMessage message(Stream stream, NewMessage.@Nullable Dedup dedup) {
        Content content = new Content(null, "text/plain", null, Map.of(), new byte[0], null);
        return new NewMessage(UUID.randomUUID(), null, stream, content, new DeliveryTime.Now(), dedup);
    }
}
