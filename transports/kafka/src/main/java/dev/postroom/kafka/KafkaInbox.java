package dev.postroom.kafka;

import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.inbox.Reception;
import dev.postroom.policy.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Consumes topics of Kafka through an {@link Inbox}: each message has one effect, a failed one is tried again later and holds
 * its partition meanwhile, and one that keeps failing becomes a dead letter. One thread handles the partitions that the group
 * gives to this consumer; start several, here or on other machines, to handle more at once. Thread-safe.
 *
 * <pre>{@code
 * KafkaInbox billing = KafkaInbox.at("localhost:9092", "billing")
 *         .topics("orders.created")
 *         .start(Inbox.on(dataSource), (message, tx) -> bill(tx.connection(), message.payload()));
 * }</pre>
 */
public final class KafkaInbox implements AutoCloseable {
    private final InboxLoop loop;

    private KafkaInbox(InboxLoop loop) {
        this.loop = loop;
    }

    /** A consumer in this group of the cluster that these brokers, separated by commas, belong to. */
    public static Builder at(String bootstrapServers, String group) {
        return new Builder(bootstrapServers, group);
    }

    /**
     * Takes nothing more, lets the handler that runs finish within the stop timeout, and leaves the group. What was not handled
     * is the next consumer's. May be called more than once.
     */
    @Override
    public void close() {
        loop.close();
    }

    /** Settings of a consumer; {@link #start} checks them. For one thread. */
    public static final class Builder {
        private final String bootstrapServers;
        private final String group;
        private final Map<String, String> properties = new HashMap<>();
        private List<String> topics = List.of();
        private String consumer;
        private @Nullable String deadLetterTopic;
        private @Nullable SSLContext tls;
        private RetryPolicy retry = RetryPolicy.DEFAULT;
        private Duration stopTimeout = Duration.ofSeconds(20);

        private Builder(String bootstrapServers, String group) {
            this.bootstrapServers = bootstrapServers;
            this.group = group;
            this.consumer = group;
        }

        /** What to consume. */
        public Builder topics(String... names) {
            topics = List.of(names);
            return this;
        }

        /** Under which name the inbox remembers what was handled; the group's by default. */
        public Builder consumer(String name) {
            consumer = name;
            return this;
        }

        /** How often and when a failed message is tried again. Its jitter is not used. */
        public Builder retry(RetryPolicy policy) {
            retry = policy;
            return this;
        }

        /** Dead letters go to this topic, instead of {@code <topic>.dead}. It is created when it is missing. */
        public Builder deadLetterTo(String topic) {
            deadLetterTopic = topic;
            return this;
        }

        /** A property of the consumer and of the producer of dead letters, such as {@code security.protocol}. */
        public Builder property(String name, String value) {
            properties.put(name, value);
            return this;
        }

        /** Whom to trust, and which certificate to show, instead of what properties say; as {@link Kafka#tls}. */
        public Builder tls(SSLContext context) {
            tls = context;
            return this;
        }

        /** How long {@link KafkaInbox#close} waits for the handler; 20 s by default. */
        public Builder stopTimeout(Duration timeout) {
            stopTimeout = timeout;
            return this;
        }

        /**
         * Begins to consume. Returns when the group has given it its partitions and it knows its place in them; or after
         * 10 s, with a warning, when the brokers cannot be reached: it goes on trying.
         *
         * @throws dev.postroom.PostroomException when a setting is wrong
         */
        public KafkaInbox start(Inbox inbox, MessageHandler handler) {
            InboxSettings settings =
                    new InboxSettings(bootstrapServers, group, topics, deadLetterTopic, properties, tls, stopTimeout);
            InboxLoop loop = new InboxLoop(settings, new Reception(inbox, consumer, retry, handler));
            loop.start();
            return new KafkaInbox(loop);
        }
    }
}
