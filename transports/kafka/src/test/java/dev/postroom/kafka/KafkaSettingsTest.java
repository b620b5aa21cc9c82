package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postroom.PostroomException;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaSettingsTest {
    private static Outcome.Failed failure(Kafka kafka, String topic) {
        AtomicReference<Outcome> told = new AtomicReference<>();
        try (kafka) {
            kafka.send(SampleDelivery.to(topic).build(), told::set);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> told.get() != null);
        }
        return (Outcome.Failed) told.get();
    }

    @ParameterizedTest
    @CsvSource({
        "acks, 1",
        "enable.idempotence, false",
        "max.in.flight.requests.per.connection, 6",
        "transactional.id, mine",
        "value.serializer, x.Y",
        "bootstrap.servers, other:9092"
    })
    void properties_that_could_lose_or_reorder_are_refused(String name, String value) {
        assertThatThrownBy(() -> Kafka.at("localhost:9092").property(name, value))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining(name);
    }

    @Test
    @Tag("R20")
    void a_producer_is_confirmed_by_all_replicas_keeps_the_order_and_gives_up_in_time() {
        Map<String, String> asked = Map.of("linger.ms", "7", "delivery.timeout.ms", "120000", "client.id", "shop");
        Map<String, Object> producer = new KafkaSettings("h:1", null, asked, WireFormat.DEFAULT, null)
                .producer(new ProducerTimes(4_000, 2_600, 7, 3_000));
        assertThat(producer)
                .contains(
                        entry("bootstrap.servers", "h:1"),
                        entry("acks", "all"),
                        entry("enable.idempotence", "true"),
                        entry("delivery.timeout.ms", 4_000),
                        entry("request.timeout.ms", 2_600),
                        entry("max.block.ms", 3_000),
                        entry("linger.ms", "7"),
                        entry("client.id", "shop"));
    }

    @Test
    @Tag("R41")
    void a_consumer_commits_nothing_by_itself_and_reads_from_the_beginning_what_is_committed() {
        InboxSettings settings = new InboxSettings(
                "h:1", "billing", List.of("orders"), null, Map.of("client.id", "shop"), null, Duration.ofSeconds(1));
        assertThat(settings.consumer())
                .contains(
                        entry("bootstrap.servers", "h:1"),
                        entry("group.id", "billing"),
                        entry("enable.auto.commit", false),
                        entry("auto.offset.reset", "earliest"),
                        entry("isolation.level", "read_committed"),
                        entry("client.id", "shop"));
        assertThat(settings.producer())
                .as("of dead letters")
                .contains(entry("acks", "all"), entry("enable.idempotence", true), entry("client.id", "shop"));
        assertThat(settings.deadLetterTopicOf("orders")).isEqualTo("orders.dead");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssl.keystore.password",
                "sasl.jaas.config",
                "sasl.oauthbearer.client.credentials.client.secret",
                "ssl.keystore.key",
                "my.token"
            })
    void secrets_are_taken_out_of_texts(String name) {
        KafkaSettings settings =
                new KafkaSettings("h:1", null, Map.of(name, "hunter2", "client.id", "shop"), WireFormat.DEFAULT, null);
        assertThat(settings.secrets().hide("shop with hunter2")).isEqualTo("shop with ***");
    }

    @ParameterizedTest
    @Tag("R72")
    @ValueSource(strings = {"geh\"eim 42", "p;w=x y'z", "ge\\\\heim", "%41bcdef"})
    void a_password_is_taken_out_of_its_login_module(String password) {
        String jaas =
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"postroom\" password=\""
                        + password.replace("\\", "\\\\").replace("\"", "\\\"") + "\";";
        Secrets secrets =
                new KafkaSettings("h:1", null, Map.of("sasl.jaas.config", jaas), WireFormat.DEFAULT, null).secrets();
        assertThat(secrets.hide("user postroom, password " + password + ", in " + jaas))
                .startsWith("user postroom, password ***, in ")
                .doesNotContain(password, "username");
    }

    @Test
    @Tag("R72")
    void words_of_a_login_module_with_wrong_quotes_are_taken_out() {
        String jaas = "PlainLoginModule required username=u password=geheim \"and more\"";
        Secrets secrets =
                new KafkaSettings("h:1", null, Map.of("sasl.jaas.config", jaas), WireFormat.DEFAULT, null).secrets();
        assertThat(secrets.hide("Value not specified for key 'more' after geheim"))
                .doesNotContain("more", "geheim");
    }

    @Test
    void a_cluster_without_brokers_is_refused() {
        assertThatThrownBy(() -> Kafka.at(" ")).hasMessageContaining("bootstrap-servers");
    }

    @Test
    void times_follow_the_lease_and_are_never_longer() {
        ProducerTimes usual = ProducerTimes.within(Duration.ofSeconds(8), Map.of());
        assertThat(usual.delivery()).isEqualTo(4_000);
        assertThat(usual.request() + usual.linger()).isLessThanOrEqualTo(usual.delivery());
        Map<String, String> asked = Map.of("delivery.timeout.ms", "120000");
        assertThat(ProducerTimes.within(Duration.ofSeconds(8), asked).delivery())
                .isEqualTo(4_000);
        assertThat(ProducerTimes.within(Duration.ofHours(1), asked).delivery()).isEqualTo(20_000);
    }

    @Test
    @Tag("R26")
    void a_wrong_configuration_is_an_outage_that_shows_no_secret() {
        Outcome.Failed failed = failure(
                Kafka.at("localhost:9092")
                        .property("security.protocol", "SASL_PLAINTEXT")
                        .property("sasl.mechanism", "PLAIN")
                        .property("sasl.jaas.config", "not a configuration with hunter2"),
                "orders");
        assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
        assertThat(failed.error()).doesNotContain("hunter2");
    }

    @Test
    @Tag("R26")
    void a_host_that_nobody_knows_is_an_outage() {
        Outcome.Failed failed = failure(Kafka.at("no-such-host.invalid:9092"), "orders");
        assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
    }

    @Test
    @Tag("R26")
    void a_topic_that_the_broker_does_not_know_is_named() {
        Outcome.Failed failed = failure(Kafka.at(KafkaBroker.shared().address()), "no-such-topic");
        assertThat(failed.scope()).isEqualTo(Scope.TOPIC);
        assertThat(failed.error()).contains("no-such-topic", "UnknownTopicOrPartition");
    }

    @Test
    @Tag("R60")
    void a_topic_that_kafka_cannot_have_is_the_failure_of_its_messages() {
        Outcome.Failed failed = failure(Kafka.at(KafkaBroker.shared().address()), "not/a topic");
        assertThat(failed.scope()).isEqualTo(Scope.MESSAGE);
        assertThat(failed.reason().isPermanent()).isTrue();
    }

    @Test
    void the_description_says_where_to() {
        assertThat(Kafka.at("a:1,b:2")
                        .topic("all")
                        .property("ssl.key.password", "hunter2")
                        .description())
                .isEqualTo("kafka a:1,b:2 topic all");
    }
}
