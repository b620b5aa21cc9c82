package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.micrometer.PostroomMetrics;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.HealthThresholds.Limit;
import dev.postroom.outbox.Limits;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import dev.postroom.testbed.H2;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Every setting reaches what it is for. Nothing is connected to. */
@Tag("R2")
class ConfiguredRelayTest {
    private static final List<Destination> NOWHERE = List.of(Destination.of("out", (delivery, outcome) -> {}));

    private static PostroomProperties properties(Map<String, String> settings) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        settings.forEach((name, value) -> source.put("postroom." + name, value));
        return new Binder(source).bindOrCreate("postroom", PostroomProperties.class);
    }

    private static Relay.Builder builder(Map<String, String> settings, RelayListener... listeners) {
        RelayWatch watch = new RelayWatch(List.of(listeners), Tracing.NONE);
        return new ConfiguredRelay(
                        H2.freshDatabase().dataSource(),
                        properties(settings),
                        Map.of(),
                        null,
                        watch,
                        ConfiguredTls.WITHOUT_BUNDLES)
                .builder(NOWHERE);
    }

    @Test
    @Tag("R60")
    void pool_that_the_relay_would_take_for_itself_is_warned_of() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setMaximumPoolSize(3);
            assertThat(PoolRoom.warning(pool).orElseThrow())
                    .contains("the pool has 3 connection(s)", "spring.datasource.hikari.maximum-pool-size");
            assertThat(PoolRoom.warning(new DelegatingDataSource(pool))).isPresent();
            pool.setMaximumPoolSize(4);
            assertThat(PoolRoom.warning(pool)).isPresent();
            pool.setMaximumPoolSize(5);
            assertThat(PoolRoom.warning(pool)).isEmpty();
        }
        assertThat(PoolRoom.warning(H2.freshDatabase().dataSource())).isEmpty();
    }

    @Test
    void settings_of_the_relay_are_those_that_were_given() {
        RelayListener listener = new RelayListener() {};
        Map<String, String> settings = new HashMap<>();
        settings.put("database.schema", "shop");
        settings.put("database.table-prefix", "mine_");
        settings.put("relay.name", "shop-1");
        settings.put("relay.lease", "21s");
        settings.put("relay.batch-size", "22");
        settings.put("relay.poll-min", "23ms");
        settings.put("relay.poll-max", "24s");
        settings.put("relay.routing-delay", "67s");
        settings.put("relay.max-in-flight", "25");
        settings.put("relay.max-in-flight-bytes", "26KB");
        settings.put("relay.stop-timeout", "27s");
        settings.put("relay.max-crashes", "28");
        settings.put("retry.base", "3s");
        settings.put("retry.multiplier", "4");
        settings.put("retry.cap", "5m");
        settings.put("retry.jitter", "0.6");
        settings.put("retry.max-attempts", "7");
        settings.put("retry.error-length", "800");
        settings.put("limits.payload-bytes", "9KB");
        settings.put("limits.headers", "10");
        settings.put("limits.header-bytes", "11KB");
        settings.put("retention", "11d");
        assertThat(Inside.settingsOf(builder(settings, listener)))
                .contains(
                        entry("names", new TableNames("shop", "mine_")),
                        entry("name", "shop-1"),
                        entry("lease", Duration.ofSeconds(21)),
                        entry("batchSize", 22),
                        entry("pollMin", Duration.ofMillis(23)),
                        entry("pollMax", Duration.ofSeconds(24)),
                        entry("routingDelay", Duration.ofSeconds(67)),
                        entry("maxInFlight", 25),
                        entry("maxInFlightBytes", 26L << 10),
                        entry("stopTimeout", Duration.ofSeconds(27)),
                        entry("maxCrashes", 28),
                        entry("retry", new RetryPolicy(Duration.ofSeconds(3), 4, Duration.ofMinutes(5), 0.6, 7)),
                        entry("errorLength", 800),
                        entry("limits", Limits.DEFAULT.payloadBytes(9 << 10).headers(10, 11 << 10)),
                        entry("retention", Duration.ofDays(11)),
                        entry("destinations", NOWHERE),
                        entry("listeners", List.of(listener)));
    }

    @Test
    void routes_have_their_own_retries_or_those_of_the_relay_and_nothing_is_kept_without_retention() {
        Map<String, String> settings = new HashMap<>();
        settings.put("retry.preset", "quick");
        settings.put("retention", "none");
        settings.put("routes[0].topic", "orders.*");
        settings.put("routes[0].destinations", "a,b");
        settings.put("routes[0].on-failure", "skip");
        settings.put("routes[0].retry.preset", "fixed");
        settings.put("routes[0].retry.max-attempts", "9");
        settings.put("routes[0].expire-after", "90m");
        settings.put("routes[1].topic", "**");
        settings.put("routes[1].destinations", "b");
        assertThat(Inside.settingsOf(builder(settings)))
                .contains(
                        entry("retention", null),
                        entry(
                                "routes",
                                List.of(
                                        Route.of("orders.*", "a", "b")
                                                .onFailure(OnFailure.SKIP)
                                                .expireAfter(Duration.ofMinutes(90))
                                                .retry(RetryPolicy.preset("fixed")
                                                        .maxAttempts(9)),
                                        Route.of("**", "b").retry(RetryPolicy.preset("quick")))));
    }

    @Test
    void defaults_are_those_of_a_relay_without_spring() {
        Map<String, @Nullable Object> plain =
                Inside.settingsOf(Relay.on(H2.freshDatabase().dataSource()));
        Map<String, @Nullable Object> configured = Inside.settingsOf(builder(Map.of()));
        plain.remove("destinations");
        plain.remove("tracing");
        assertThat(configured).containsAllEntriesOf(plain);
        assertThat(properties(Map.of()).limits().limits()).isEqualTo(Limits.DEFAULT);
        assertThat(properties(Map.of()).health().thresholds()).isEqualTo(HealthThresholds.DEFAULT);
    }

    @Test
    @Tag("R50")
    void metrics_are_as_fine_and_fresh_as_they_are_told() {
        PostroomProperties properties = properties(Map.of(
                "metrics.topics", "71",
                "metrics.tenants", "72",
                "metrics.poison-attempts", "73",
                "metrics.interval", "74s"));
        try (PostroomMetrics metrics =
                new PostroomMetricsAutoConfiguration().postroomMetrics(new SimpleMeterRegistry(), properties)) {
            assertThat(Inside.settingsOf(metrics))
                    .contains(
                            entry("mostTopics", 71),
                            entry("mostTenants", 72),
                            entry("poisonAttempts", 73),
                            entry("interval", Duration.ofSeconds(74)));
        }
    }

    @Test
    @Tag("R51")
    void limits_and_thresholds_are_those_that_were_given() {
        Map<String, String> settings = new HashMap<>();
        settings.put("limits.payload-bytes", "51KB");
        settings.put("limits.headers", "52");
        settings.put("limits.header-bytes", "53KB");
        settings.put("limits.topic-length", "54");
        settings.put("limits.key-length", "55");
        settings.put("health.backlog.degraded", "61");
        settings.put("health.backlog.down", "62");
        settings.put("health.oldest-age.degraded", "63s");
        settings.put("health.oldest-age.down", "64s");
        settings.put("health.failed-ratio.degraded", "0.65");
        settings.put("health.failed-ratio.down", "0.66");
        settings.put("health.stuck-after.degraded", "67s");
        settings.put("health.stuck-after.down", "68s");
        PostroomProperties properties = properties(settings);
        assertThat(properties.limits().limits()).isEqualTo(new Limits(51 << 10, 52, 53 << 10, 54, 55));
        assertThat(properties.health().thresholds())
                .isEqualTo(new HealthThresholds(
                        new Limit<>(61L, 62L),
                        new Limit<>(Duration.ofSeconds(63), Duration.ofSeconds(64)),
                        new Limit<>(0.65, 0.66),
                        new Limit<>(Duration.ofSeconds(67), Duration.ofSeconds(68))));
    }
}
