package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Envelope;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testkit.contract.SampleDelivery;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.Jackson2JsonMessageConverter;

/** What a Spring application reads whose listeners have the Jackson converter. */
@Tag("R56")
class SpringReaderTest {
    private static final int PATIENCE = 20_000;

    record Note(String note) {}

    /** Whose converter names the charset where others name the compression. */
    @Test
    @Tag("R41")
    void our_inbox_reads_what_spring_sends() {
        Message sent = new Jackson2JsonMessageConverter().toMessage(new Note("hello"), new MessageProperties());
        String encoding = sent.getMessageProperties().getContentEncoding();
        assertThat(encoding).isEqualTo("UTF-8");
        for (String name : List.of(encoding, "utf-8", "binary", "")) {
            BasicProperties properties = new BasicProperties.Builder()
                    .messageId("1")
                    .contentEncoding(name)
                    .build();
            assertThat(ReceivedAmqp.of(new com.rabbitmq.client.Delivery(
                                    new Envelope(1, false, "", "orders"), properties, sent.getBody()))
                            .payload())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{\"note\":\"hello\"}");
        }
    }

    private static Message asStored(Message message, Delivery delivery) {
        message.getMessageProperties().setContentEncoding("gzip");
        return new Message(delivery.payload(), message.getMessageProperties());
    }

    @Test
    @Tag("R11")
    void large_json_is_read_by_the_jackson_converter() throws Exception {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        SampleDelivery sample = SampleDelivery.to("orders").json(40 << 10);
        try (TestQueue queue = TestQueue.declared(broker, Map.of());
                RabbitMq transport = RabbitMq.at(broker.uri()).exchange(queue.exchange)) {
            queue.bind("#");
            Delivery delivery = sample.compressed().build();
            assertThat(Sends.send(transport, delivery)).isEqualTo(Outcome.confirmed());

            CachingConnectionFactory connections = new CachingConnectionFactory(URI.create(broker.uri()));
            try {
                RabbitTemplate template = new RabbitTemplate(connections);
                Jackson2JsonMessageConverter converter = new Jackson2JsonMessageConverter();
                Message message = Objects.requireNonNull(template.receive(queue.queue, PATIENCE));
                message.getMessageProperties().setInferredArgumentType(Note.class); // as the listener's method says
                Note note = (Note) converter.fromMessage(message);
                assertThat(note.note()).hasSize(40 << 10).startsWith("all work ");
                assertThatThrownBy(() -> converter.fromMessage(asStored(message, delivery)))
                        .as("what it would say if the payload went out as it is stored")
                        .hasRootCauseInstanceOf(UnsupportedEncodingException.class);
                assertThat(message.getBody())
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo(new String(
                                Objects.requireNonNull(sample.content().payload()), StandardCharsets.UTF_8));
            } finally {
                connections.destroy();
            }
        }
    }
}
