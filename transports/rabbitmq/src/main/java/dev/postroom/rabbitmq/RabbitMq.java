package dev.postroom.rabbitmq;

import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Delivers to RabbitMQ: persistent messages, confirmed by the broker, to an exchange with the topic as routing key. Each
 * method of configuration returns a changed transport and leaves this one as it is; the first message opens the
 * connection. Thread-safe.
 *
 * <pre>{@code
 * Relay.on(dataSource).deliverTo(RabbitMq.at("amqp://user:password@localhost").exchange("shop")).start();
 * }</pre>
 */
public final class RabbitMq implements Transport {
    private final RabbitMqSettings settings;
    private @Nullable Publisher publisher;
    private boolean closed;

    private RabbitMq(RabbitMqSettings settings) {
        this.settings = settings;
    }

    /**
     * The broker at {@code amqp://user:password@host:port/virtual-host}; {@code amqps://} for TLS. User and password are
     * guest, the ports 5672 and 5671, the virtual host {@code /} when they are left out.
     *
     * @throws dev.postroom.PostroomException when this is no such URI
     */
    public static RabbitMq at(String uri) {
        return new RabbitMq(RabbitMqSettings.at(uri));
    }

    /**
     * Publishes to this exchange; {@code postroom} by default. It is declared as a durable topic exchange when it is
     * missing. The empty name is the default exchange, which routes to the queue that the routing key names.
     */
    public RabbitMq exchange(String exchange) {
        return new RabbitMq(settings.exchange(exchange));
    }

    /** The same routing key for all messages, instead of their topic. */
    public RabbitMq routingKey(String key) {
        return routingKey(delivery -> key);
    }

    /** A routing key for each message, instead of its topic. */
    public RabbitMq routingKey(Function<Delivery, String> key) {
        return new RabbitMq(settings.routingKey(key));
    }

    /** How CloudEvents are written; {@link ContentMode#BINARY} by default. */
    public RabbitMq contentMode(ContentMode mode) {
        return new RabbitMq(settings.format(settings.format().mode(mode)));
    }

    /**
     * What becomes of payloads that the outbox has compressed; {@link Compression#PLAIN} by default.
     *
     * @throws dev.postroom.PostroomException when they are to stay compressed in structured mode
     */
    public RabbitMq compression(Compression compression) {
        return new RabbitMq(settings.format(settings.format().compression(compression)));
    }

    /** Whom to trust, and which certificate to show, when the URI says {@code amqps}; the JVM's defaults otherwise. */
    public RabbitMq tls(SSLContext context) {
        return new RabbitMq(settings.tls(context));
    }

    /** Over how many channels streams are spread; 4 by default. */
    public RabbitMq channels(int channels) {
        return new RabbitMq(settings.channels(channels));
    }

    /** After how long a message that the broker does not confirm is given up; 30 s by default. */
    public RabbitMq confirmTimeout(Duration timeout) {
        return new RabbitMq(settings.confirmTimeout(timeout));
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        Publisher started = publisher();
        if (started == null) {
            outcome.accept(Outcome.notSent("the transport to RabbitMQ is closed"));
        } else {
            started.send(delivery, outcome);
        }
    }

    private synchronized @Nullable Publisher publisher() {
        if (publisher == null && !closed) {
            publisher = new Publisher(settings);
        }
        return publisher;
    }

    /**
     * No: the broker keeps the order of what it takes, but when it returns or rejects one message, or a connection breaks in
     * the middle, later ones of the stream have got through and the one before has not. So the relay sends the next message
     * of a stream when the one before is confirmed.
     */
    @Override
    public boolean keepsOrder() {
        return false;
    }

    /** More would only wait here, with deadlines that nobody prolongs. */
    @Override
    public int capacity() {
        return Publisher.CAPACITY;
    }

    @Override
    public Secrets secrets() {
        return settings.secrets();
    }

    @Override
    public String system() {
        return "rabbitmq";
    }

    @Override
    public String description() {
        String exchange = settings.exchange().isEmpty() ? "the default exchange" : "exchange " + settings.exchange();
        return "rabbitmq " + settings.address() + ", " + exchange;
    }

    @Override
    public void close() {
        Publisher started;
        synchronized (this) {
            closed = true;
            started = publisher;
        }
        if (started != null) {
            started.close();
        }
    }
}
