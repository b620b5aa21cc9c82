package dev.postroom.rabbitmq;

import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.inbox.Reception;
import dev.postroom.policy.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Consumes a queue of RabbitMQ through an {@link Inbox}: each message has one effect, a failed one is tried again later, and
 * one that keeps failing becomes a dead letter. Connects again whenever the connection breaks.
 * Thread-safe.
 *
 * <pre>{@code
 * RabbitMqInbox billing = RabbitMqInbox.at("amqp://user:password@localhost", "billing")
 *         .bind("postroom", "orders.#")
 *         .start(Inbox.on(dataSource), (message, tx) -> bill(tx.connection(), message.payload()));
 * }</pre>
 */
public final class RabbitMqInbox implements AutoCloseable {
    private final InboxLoop loop;

    private RabbitMqInbox(InboxLoop loop) {
        this.loop = loop;
    }

    /**
     * A consumer of this queue, which is declared as a durable one when it is missing.
     *
     * @param uri as for {@link RabbitMq#at}
     * @throws dev.postroom.PostroomException when this is no such URI
     */
    public static Builder at(String uri, String queue) {
        return new Builder(RabbitMqSettings.at(uri), queue);
    }

    /**
     * Takes nothing more, lets handlers that run finish within the stop timeout, and disconnects. What was not handled by then
     * goes back to the queue. May be called more than once.
     */
    @Override
    public void close() {
        loop.close();
    }

    /** Settings of a consumer; {@link #start} checks them. For one thread. */
    public static final class Builder {
        private final String queue;
        private final List<InboxSettings.Binding> bindings = new ArrayList<>();
        private RabbitMqSettings broker;
        private String consumer;
        private @Nullable String deadLetterExchange;
        private String deadLetterKey;
        private RetryPolicy retry = RetryPolicy.DEFAULT;
        private int concurrency = 4;
        private int prefetch = 16;
        private Duration stopTimeout = Duration.ofSeconds(20);

        private Builder(RabbitMqSettings broker, String queue) {
            this.broker = broker;
            this.queue = queue;
            this.consumer = queue;
            this.deadLetterKey = queue + ".dead";
        }

        /** The queue is to get what this exchange has for this routing key; the exchange is declared when it is missing. */
        public Builder bind(String exchange, String routingKey) {
            bindings.add(new InboxSettings.Binding(exchange, routingKey));
            return this;
        }

        /** Under which name the inbox remembers what was handled; the queue's by default. */
        public Builder consumer(String name) {
            consumer = name;
            return this;
        }

        /** How often and when a failed message is tried again. Its jitter is not used. */
        public Builder retry(RetryPolicy policy) {
            retry = policy;
            return this;
        }

        /** Dead letters go to this exchange, which must exist, instead of the queue {@code <queue>.dead}. */
        public Builder deadLetterTo(String exchange, String routingKey) {
            deadLetterExchange = exchange;
            deadLetterKey = routingKey;
            return this;
        }

        /** How many messages are handled at once; 4 by default. With 1 they are handled in the order of the queue. */
        public Builder concurrency(int messages) {
            concurrency = messages;
            return this;
        }

        /** How many messages the broker may send ahead for each that is being handled; 16 by default. */
        public Builder prefetch(int messages) {
            prefetch = messages;
            return this;
        }

        /** Whom to trust, and which certificate to show, when the URI says {@code amqps}. */
        public Builder tls(SSLContext context) {
            broker = broker.tls(context);
            return this;
        }

        /** How long {@link RabbitMqInbox#close} waits for handlers; 20 s by default. */
        public Builder stopTimeout(Duration timeout) {
            stopTimeout = timeout;
            return this;
        }

        /**
         * Begins to consume. Returns when the queue is there and bound, so that what is published from here on arrives; or
         * after 10 s, with a warning, when the broker cannot be reached: the queue is bound when it can.
         *
         * @throws dev.postroom.PostroomException when a setting is wrong
         */
        public RabbitMqInbox start(Inbox inbox, MessageHandler handler) {
            InboxSettings settings = new InboxSettings(
                    broker,
                    queue,
                    bindings,
                    deadLetterExchange == null ? "" : deadLetterExchange,
                    deadLetterKey,
                    concurrency,
                    prefetch,
                    stopTimeout);
            InboxLoop loop = new InboxLoop(settings, new Reception(inbox, consumer, retry, handler));
            loop.start();
            return new RabbitMqInbox(loop);
        }
    }
}
