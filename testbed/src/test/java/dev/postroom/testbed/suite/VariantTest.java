package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantTest {

    @Test
    void all_tests_add_another_jdk_and_every_other_version_of_each_server() {
        List<Variant> all = Variant.of(Options.parse("/", "--all", "--jdk", "/jvm/25"));
        assertThat(all)
                .extracting(Variant::label)
                .containsExactly(
                        "",
                        "JDK in 25",
                        "PostgreSQL oldest",
                        "PostgreSQL 15",
                        "PostgreSQL 16",
                        "PostgreSQL 17",
                        "PostgreSQL debian",
                        "PostgreSQL debian-17",
                        "MariaDB oldest",
                        "Kafka oldest",
                        "RabbitMQ 4",
                        "RabbitMQ 4-quorum",
                        "RabbitMQ 4.0-quorum",
                        "RabbitMQ debian-quorum");
        assertThat(all).extracting(Variant::number).doesNotHaveDuplicates();
        assertThat(all.get(2).properties()).isEqualTo(Map.of("postroom.testbed.postgresql", "oldest"));
        assertThat(all.get(8).properties()).isEqualTo(Map.of("postroom.testbed.mariadb", "oldest"));
    }

    @Test
    void a_version_of_a_server_is_for_the_classes_about_that_server() {
        Variant postgres = Variant.of(Options.parse("/", "--all")).get(1);

        assertThat(postgres.wants("com.example.PostgresContractTest")).isTrue();
        assertThat(postgres.wants("com.example.postgresql.PlansTest")).isTrue();
        assertThat(postgres.wants("com.example.MariaDbContractTest")).isFalse();
        assertThat(postgres.wants("com.example.PostgresOldestContractTest"))
                .as("chooses its version itself")
                .isFalse();
    }

    @Test
    void a_slice_on_a_newer_broker_belongs_to_every_run() {
        List<Variant> some = Variant.of(Options.parse("/", "--jdk", "/jvm/25"));

        assertThat(some).extracting(Variant::label).containsExactly("", "RabbitMQ 4");
        assertThat(some.get(0)).matches(Variant::isFirst);
        assertThat(some.get(1).wants("dev.postroom.rabbitmq.QuorumQueueTest")).isTrue();
        assertThat(some.get(1).wants("dev.postroom.rabbitmq.RabbitMqInboxTest")).isFalse();
    }
}
