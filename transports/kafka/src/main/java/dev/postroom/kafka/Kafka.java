package dev.postroom.kafka;

import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages to Kafka, each as one record in the topic of its name, ordered by its key. Each option returns a changed
 * transport and leaves this one as it is. Thread-safe.
 *
 * <pre>{@code
 * Relay.on(dataSource).deliverTo(Kafka.at("localhost:9092")).start();
 * }</pre>
 */
public final class Kafka implements Transport {
    private final KafkaSettings settings;
    private @Nullable Publisher publisher;
    private boolean closed;

    private Kafka(KafkaSettings settings) {
        this.settings = settings;
    }

    /** A cluster that these brokers, separated by commas, belong to. Nothing is connected before the first message. */
    public static Kafka at(String bootstrapServers) {
        return new Kafka(new KafkaSettings(bootstrapServers, null, Map.of(), WireFormat.DEFAULT, null));
    }

    /** Everything goes to this topic, instead of each message to the topic it was published to. */
    public Kafka topic(String topic) {
        return new Kafka(settings.topic(topic));
    }

    /**
     * A property of the producer, such as {@code security.protocol}.
     *
     * @throws dev.postroom.PostroomException when delivery depends on another value of it
     */
    public Kafka property(String name, String value) {
        return properties(Map.of(name, value));
    }

    /** Properties of the producer, see {@link #property}. */
    public Kafka properties(Map<String, String> properties) {
        return new Kafka(settings.properties(properties));
    }

    /** How events are put on the wire; {@link ContentMode#BINARY} by default. */
    public Kafka contentMode(ContentMode mode) {
        return new Kafka(settings.format(settings.format().mode(mode)));
    }

    /**
     * What becomes of payloads that the outbox has compressed; {@link Compression#PLAIN} by default. The producer's own
     * compression of whole batches, the property {@code compression.type}, is another thing, and undone by every consumer.
     *
     * @throws dev.postroom.PostroomException when they are to stay compressed in structured mode
     */
    public Kafka compression(Compression compression) {
        return new Kafka(settings.format(settings.format().compression(compression)));
    }

    /**
     * Whom to trust, and which certificate to show, instead of what properties say. {@code security.protocol} is then
     * {@code SSL}, unless a property says {@code SASL_SSL}.
     */
    public Kafka tls(SSLContext context) {
        return new Kafka(settings.tls(context));
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        Publisher open = publisher();
        if (open == null) {
            outcome.accept(Outcome.notSent("the transport is closed"));
        } else {
            open.send(new Parcel(delivery, settings.topicOf(delivery.topic()), outcome, System.nanoTime()));
        }
    }

    private synchronized @Nullable Publisher publisher() {
        if (publisher == null && !closed) {
            publisher = new Publisher(settings);
        }
        return closed ? null : publisher;
    }

    /** The producer keeps it, and what it does not keep the publisher prevents: see the package's description. */
    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public Secrets secrets() {
        return settings.secrets();
    }

    @Override
    public String system() {
        return "kafka";
    }

    @Override
    public String description() {
        return "kafka " + settings.bootstrapServers() + (settings.topic() == null ? "" : " topic " + settings.topic());
    }

    /** Ends what is under way: what the producer has not got will not be sent, the rest may have arrived. */
    @Override
    public void close() {
        Publisher open;
        synchronized (this) {
            closed = true;
            open = publisher;
            publisher = null;
        }
        if (open != null) {
            open.close();
        }
    }
}
