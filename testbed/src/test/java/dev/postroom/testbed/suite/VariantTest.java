package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariantTest {

    @Test
    void all_tests_add_another_jdk_and_every_other_version_of_each_server() {
        assertThat(Variant.of(Options.parse("/", "--jdk", "/jvm/25")))
                .singleElement()
                .matches(Variant::isFirst);

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
                        "MariaDB oldest",
                        "RabbitMQ 4");
        assertThat(all).extracting(Variant::number).doesNotHaveDuplicates();
        assertThat(all.get(2).properties()).isEqualTo(Map.of("postroom.testbed.postgresql", "oldest"));
        assertThat(all.get(7).properties()).isEqualTo(Map.of("postroom.testbed.mariadb", "oldest"));
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
}
