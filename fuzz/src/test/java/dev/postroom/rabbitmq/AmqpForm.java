package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;

/** What fuzzing needs of this package, to which it is closed otherwise. */
public final class AmqpForm {
    private static final int USUAL_FRAME = 131_072;

    private AmqpForm() {}

    /** A message as it would be sent. */
    public static Delivery sent(dev.postroom.spi.Delivery delivery, ContentMode mode) {
        AmqpMessage message = AmqpMessage.of(delivery, delivery.topic(), WireFormat.DEFAULT.mode(mode), USUAL_FRAME);
        return of(message.properties(), message.body());
    }

    public static Delivery of(BasicProperties properties, byte[] body) {
        return new Delivery(new Envelope(1, false, "", "queue"), properties, body);
    }

    public static ReceivedMessage received(Delivery delivery) {
        return ReceivedAmqp.of(delivery);
    }
}
