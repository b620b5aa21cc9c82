package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.ManualRelay;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R50")
class PostroomMetricsTest {
    private static final String OUT = "{destination=\"out\"}";

    private static final RetryPolicy LATER = new RetryPolicy(Duration.ofHours(1), 1, Duration.ofHours(1), 0, 3);

    private final Shop shop = new Shop();
    private PostroomMetrics metrics = PostroomMetrics.on(shop.registry);

    @AfterEach
    void close() {
        metrics.close();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static String failed(String reason) {
        return "postroom_failed_total{destination=\"out\",reason=\"" + reason + "\"}";
    }

    @Nested
    class Of_the_relay {
        @Test
        void confirmed_and_failed_deliveries_are_counted_with_their_latency_and_attempts() {
            for (int i = 0; i < 5; i++) {
                shop.publish(Message.to("orders").key("k" + i).text("text/plain", i == 4 ? "bad" : "good"));
            }
            try (ManualRelay relay = shop.relay()
                    .deliverTo(
                            "out",
                            Shop.answering(delivery -> delivery.payload().length == 3
                                    ? Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no")
                                    : Outcome.confirmed()))
                    .listener(metrics.relayListener())
                    .manual()) {
                relay.drain();
                Scrape scrape = shop.scrape();
                assertThat(scrape.value("postroom_published_total" + OUT)).isEqualTo(4);
                assertThat(scrape.value(failed("HANDLER_EXCEPTION"))).isEqualTo(2);
                assertThat(scrape.value(failed("POISON")))
                        .as("the last attempt")
                        .isEqualTo(1);
                assertThat(scrape.value("postroom_dead_letters_total{destination=\"out\",reason=\"POISON\"}"))
                        .isEqualTo(1);
                assertThat(scrape.value("postroom_delivery_seconds_count" + OUT))
                        .isEqualTo(4);
                assertThat(scrape.value("postroom_delivery_seconds_bucket{destination=\"out\",le=\"60.0\"}"))
                        .isEqualTo(4);
                assertThat(scrape.value("postroom_delivery_attempts_bucket{destination=\"out\",le=\"1.0\"}"))
                        .isEqualTo(4);
                assertThat(scrape.value("postroom_lanes_owned")).isEqualTo(64);
                assertThat(scrape.value("postroom_in_flight_messages" + OUT)).isZero();
                assertThat(scrape.value("postroom_read_batch_messages_sum")).isGreaterThanOrEqualTo(5);
                assertThat(scrape.value("postroom_settle_batch_messages_sum")).isEqualTo(7);
                assertThat(scrape.value("postroom_settle_seconds_count")).isPositive();
                assertThat(scrape.value("postroom_throughput_per_second")).isPositive();
                assertThat(scrape.value("postroom_failure_ratio")).isEqualTo(3 / 7.0);
            }
            assertThat(shop.scrape().value("postroom_lanes_owned"))
                    .as("of a relay that ended")
                    .isZero();
        }

        @Test
        void all_counters_of_a_destination_begin_at_zero() {
            try (ManualRelay relay = shop.relay()
                    .deliverTo("out", Shop.answering(delivery -> Outcome.confirmed()))
                    .listener(metrics.relayListener())
                    .manual()) {
                assertThat(relay).isNotNull();
                Scrape scrape = shop.scrape();
                assertThat(scrape.value("postroom_published_total" + OUT)).isZero();
                for (FailureReason reason : FailureReason.values()) {
                    assertThat(scrape.value(failed(reason.name()))).isZero();
                }
                assertThat(scrape.value("postroom_breaker_open" + OUT)).isZero();
            }
        }

        @Test
        void breaker_is_open_while_a_destination_is_held_and_its_topics_are_counted() {
            boolean[] down = {true};
            shop.publish(Message.to("orders"));
            shop.publish(Message.to("strange"));
            try (ManualRelay relay = shop.relay()
                    .deliverTo(
                            "out",
                            Shop.answering(delivery -> down[0]
                                    ? Outcome.unavailable("connection refused")
                                    : delivery.topic().equals("strange")
                                            ? Outcome.topicUnavailable("unknown topic")
                                            : Outcome.confirmed()))
                    .listener(metrics.relayListener())
                    .manual()) {
                relay.drain();
                assertThat(shop.scrape().value("postroom_breaker_open" + OUT)).isEqualTo(1);
                down[0] = false;
                relay.advance(Duration.ofSeconds(5));
                relay.drain();
                assertThat(shop.scrape().value("postroom_breaker_open" + OUT)).isZero();
                assertThat(shop.scrape().value("postroom_held_topics" + OUT)).isEqualTo(1);
                assertThat(shop.scrape()
                                .value("postroom_failed_total{destination=\"out\",reason=\"TRANSPORT_UNAVAILABLE\"}"))
                        .as("an outage fails no message")
                        .isZero();
            }
        }

        @Test
        void a_topic_without_a_route_is_held() {
            shop.publish(Message.to("orders"));
            shop.publish(Message.to("strange"));
            shop.publish(Message.to("strange"));
            try (ManualRelay relay = shop.relay()
                    .deliverTo("out", Shop.answering(delivery -> Outcome.confirmed()))
                    .route(Route.of("orders", "out"))
                    .listener(metrics.relayListener())
                    .manual()) {
                assertThat(shop.scrape().value("postroom_held_topics{destination=\"none\"}"))
                        .isZero();
                relay.drain();
                assertThat(shop.scrape().value("postroom_held_topics{destination=\"none\"}"))
                        .isEqualTo(1);
                assertThat(shop.scrape().value("postroom_held_topics" + OUT)).isZero();
            }
        }

        @Test
        void messages_that_a_transport_has_not_answered_for_are_in_flight() {
            List<Consumer<Outcome>> waiting = new ArrayList<>();
            shop.publish(Message.to("orders").text("text/plain", "one"));
            shop.publish(Message.to("orders").text("text/plain", "two"));
            try (Relay relay = shop.relay()
                    .deliverTo("out", (delivery, outcome) -> waiting.add(outcome))
                    .listener(metrics.relayListener())
                    .start()) {
                assertThat(relay.isRunning()).isTrue();
                eventually().until(() -> shop.scrape().value("postroom_in_flight_messages" + OUT) == 2);
                waiting.forEach(outcome -> outcome.accept(Outcome.confirmed()));
                eventually().until(() -> shop.scrape().value("postroom_in_flight_messages" + OUT) == 0);
                eventually().until(() -> shop.scrape().value("postroom_published_total" + OUT) == 2);
            }
        }

        @Test
        void delayed_message_is_as_old_as_it_is_due_and_a_replayed_one_has_no_age() throws Exception {
            shop.publish(Message.to("orders").deliverAfter(Duration.ofMillis(1)));
            shop.publish(Message.to("orders"));
            try (var connection = shop.database.connect();
                    var statement = connection.createStatement()) {
                statement.executeUpdate(
                        "UPDATE postroom_message SET created_at = DATEADD(DAY, -2, created_at) WHERE available_at IS NOT NULL");
                statement.executeUpdate(
                        "UPDATE postroom_message SET only_destination = 'out', created_at = DATEADD(DAY, -2, created_at)"
                                + " WHERE available_at IS NULL");
            }
            try (ManualRelay relay = shop.relay()
                    .deliverTo("out", Shop.answering(delivery -> Outcome.confirmed()))
                    .listener(metrics.relayListener())
                    .manual()) {
                eventually().until(() -> {
                    relay.drain();
                    return shop.scrape().value("postroom_published_total" + OUT) == 2;
                });
                assertThat(shop.scrape().value("postroom_delivery_seconds_count" + OUT))
                        .isEqualTo(1);
                assertThat(shop.scrape().value("postroom_delivery_seconds_bucket{destination=\"out\",le=\"3600.0\"}"))
                        .isEqualTo(1);
            }
        }
    }

    @Nested
    class Of_the_outbox {
        @Test
        void stand_of_the_database_is_shown() {
            shop.publish(Message.to("orders").key("blocked").text("text/plain", "bad"));
            shop.publish(Message.to("orders").key("blocked").text("text/plain", "behind"));
            shop.publish(Message.to("orders").deliverAfter(Duration.ofHours(1)));
            shop.publish(Message.to("orders").deliverAfter(Duration.ofHours(2)));
            try (ManualRelay relay = shop.relay()
                    .deliverTo("out", Shop.answering(delivery -> Outcome.failed(FailureReason.UNKNOWN, "no")))
                    .manual()) {
                relay.drain();
            }
            metrics.watch(shop.store);
            eventually().until(() -> shop.scrape().value("postroom_backlog_messages") == 3);
            Scrape scrape = shop.scrape();
            assertThat(scrape.value("postroom_dead_messages")).isEqualTo(1);
            assertThat(scrape.value("postroom_blocked_streams")).isEqualTo(1);
            assertThat(scrape.value("postroom_scheduled_messages")).isEqualTo(2);
            assertThat(scrape.value("postroom_next_due_seconds")).isBetween(3_000.0, 3_600.0);
            assertThat(scrape.value("postroom_latest_due_seconds")).isBetween(6_600.0, 7_200.0);
        }

        @Test
        void messages_that_failed_at_least_so_often_are_poison_candidates() {
            for (String topic : List.of("once", "once", "often")) {
                shop.publish(Message.to(topic));
            }
            try (ManualRelay relay = shop.relay()
                    .deliverTo("out", Shop.answering(new FailsOnceOrTwice()))
                    .route(Route.of("**", "out")
                            .retryAfter(FailureReason.UNKNOWN, LATER)
                            .retryAfter(FailureReason.HANDLER_EXCEPTION, Shop.THREE_AT_ONCE))
                    .manual()) {
                relay.drain();
            }
            metrics.close();
            metrics = PostroomMetrics.configure(shop.registry).poisonAttempts(2).build();
            metrics.watch(shop.store);
            eventually().until(() -> shop.scrape().value("postroom_retrying_messages") == 3);
            assertThat(shop.scrape().value("postroom_poison_candidates")).isEqualTo(1);
        }

        /** Those of one topic fail twice before they wait, the others once. */
        private static final class FailsOnceOrTwice implements Function<Delivery, Outcome> {
            private boolean failed;

            @Override
            public Outcome apply(Delivery delivery) {
                if (delivery.topic().equals("often") && !failed) {
                    failed = true;
                    return Outcome.failed(FailureReason.HANDLER_EXCEPTION, "try again at once");
                }
                return Outcome.failed(FailureReason.UNKNOWN, "try again later");
            }
        }

        @Test
        void oldest_message_is_as_old_as_it_waits() throws Exception {
            shop.publish(Message.to("orders"));
            try (var connection = shop.database.connect();
                    var statement = connection.createStatement()) {
                statement.executeUpdate("UPDATE postroom_message SET created_at = DATEADD(HOUR, -1, created_at)");
            }
            shop.publish(Message.to("orders"));
            metrics.watch(shop.store);
            eventually().until(() -> shop.scrape().value("postroom_backlog_messages") == 2);
            assertThat(shop.scrape().value("postroom_oldest_pending_seconds")).isBetween(3_600.0, 4_000.0);
        }

        @Test
        void second_outbox_needs_other_tags() {
            metrics.watch(shop.store);
            assertThatThrownBy(() -> metrics.watch(shop.store))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("other tags");
            try (PostroomMetrics other = PostroomMetrics.configure(shop.registry)
                    .tags(Tags.of("outbox", "other"))
                    .build()) {
                other.relayListener();
                assertThat(shop.scrape().value("postroom_lanes_owned{outbox=\"other\"}"))
                        .isZero();
            }
        }
    }

    @Test
    void topics_and_tenants_are_told_apart_only_when_asked_for_and_no_more_than_that() {
        metrics.close();
        metrics =
                PostroomMetrics.configure(shop.registry).byTopic(2).byTenant(1).build();
        for (int i = 0; i < 20; i++) {
            shop.publish(Message.to("topic" + i).tenant("tenant" + i));
        }
        try (ManualRelay relay = shop.relay()
                .deliverTo("out", Shop.answering(delivery -> Outcome.confirmed()))
                .listener(metrics.relayListener())
                .manual()) {
            relay.drain();
            Scrape scrape = shop.scrape();
            assertThat(scrape.value("postroom_published_total{destination=\"out\",tenant=\"other\",topic=\"other\"}"))
                    .isEqualTo(18);
            assertThat(scrape.series("postroom_published_total")).isLessThanOrEqualTo(6);
            assertThat(scrape.metrics().get("postroom_delivery_seconds_count")).containsExactly("destination");
        }
    }

    @Test
    void several_listeners_hear_the_same_and_one_that_throws_harms_nobody() {
        shop.publish(Message.to("orders"));
        List<String> heard = new ArrayList<>();
        try (ManualRelay relay = shop.relay()
                .deliverTo("a", Shop.answering(delivery -> Outcome.confirmed()))
                .deliverTo("b", Shop.answering(delivery -> Outcome.confirmed()))
                .route(Route.of("**", "a", "b"))
                .listener(new dev.postroom.relay.RelayListener() {
                    @Override
                    public void delivered(dev.postroom.spi.StoredMessage message, String destination) {
                        heard.add(destination);
                        throw new IllegalStateException("broken listener");
                    }
                })
                .listener(metrics.relayListener())
                .manual()) {
            relay.drain();
        }
        assertThat(heard).containsExactlyInAnyOrder("a", "b");
        assertThat(shop.scrape().value("postroom_published_total{destination=\"b\"}"))
                .isEqualTo(1);
    }

    @Test
    void closed_metrics_leave_nothing_in_the_registry() {
        metrics.watch(shop.store);
        metrics.relayListener();
        assertThat(shop.scrape().metrics()).isNotEmpty();
        metrics.close();
        assertThat(shop.scrape().metrics()).isEmpty();
    }

    @Test
    void senseless_settings_are_refused() {
        PostroomMetrics.Builder builder = PostroomMetrics.configure(shop.registry);
        assertThatThrownBy(() -> builder.byTopic(0)).hasMessageContaining("1 to 1000 topics");
        assertThatThrownBy(() -> builder.byTenant(5_000)).hasMessageContaining("was 5000");
        assertThatThrownBy(() -> builder.interval(Duration.ZERO)).hasMessageContaining("at least 1s");
        assertThatThrownBy(() -> builder.poisonAttempts(0)).hasMessageContaining("at least 1");
    }
}
