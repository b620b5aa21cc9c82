package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import dev.postroom.PostroomException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqSettingsTest {

    @ParameterizedTest
    @CsvSource({
        "amqp://localhost, 'rabbitmq amqp://localhost, exchange postroom'",
        "amqp://user:secret@mq:5673/shop, 'rabbitmq amqp://mq:5673/shop, exchange postroom'",
        "amqps://user:secret@mq?x=secret, 'rabbitmq amqps://mq, exchange postroom'"
    })
    void the_description_says_where_to_without_credentials(String uri, String description) {
        assertThat(RabbitMq.at(uri).description()).isEqualTo(description);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "http://user:secret@host",
                "amqp://user:sec ret@host",
                "amqp:user:secret",
                "amqp://user:secret@host/a/b",
                "amqp://user:secret:more@host",
                "amqp://user:12345/secret@host",
                "amqp://user:12@34/secret@host",
                "amqp://user:12345?secret@host",
                "amqp://user:12345#secret@host"
            })
    void a_wrong_uri_is_refused_without_being_shown(String uri) {
        assertThatThrownBy(() -> RabbitMq.at(uri))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("RabbitMQ's URI")
                .satisfies(e -> assertThat(e.toString()).doesNotContain("secret", "sec ret"))
                .hasNoCause();
    }

    @Test
    void the_uri_says_all_that_a_connection_needs() throws Exception {
        ConnectionFactory factory =
                RabbitMqSettings.at("amqps://us%40er:pass@mq/a%2Fb").factory(new Wire());
        assertThat(factory.getUsername()).isEqualTo("us@er");
        assertThat(factory.getPassword()).isEqualTo("pass");
        assertThat(factory.getHost()).isEqualTo("mq");
        assertThat(factory.getPort()).isEqualTo(5671);
        assertThat(factory.getVirtualHost()).isEqualTo("a/b");
        assertThat(factory.isSSL()).isTrue();
        assertThat(factory.isAutomaticRecoveryEnabled()).isFalse();
    }

    @Test
    void values_that_cannot_be_are_refused() {
        RabbitMq transport = RabbitMq.at("amqp://localhost");
        assertThatThrownBy(() -> transport.channels(0)).hasMessageContaining("channels (was 0)");
        assertThatThrownBy(() -> transport.exchange("x".repeat(128))).hasMessageContaining("127");
        assertThatThrownBy(() -> transport.confirmTimeout(Duration.ZERO)).hasMessageContaining("confirmTimeout");
    }
}
