package dev.postroom.benchmark;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Where messages go in a measurement. */
enum Brokers {
    /** Confirmed at once, by nobody. */
    none {
        @Override
        Broker open() {
            return new Nowhere();
        }
    },
    rabbitmq {
        @Override
        Broker open() throws Exception {
            return new RabbitMqForBench();
        }
    },
    kafka {
        @Override
        Broker open() throws Exception {
            return new KafkaForBench();
        }
    };

    abstract Broker open() throws Exception;

    private static final class Nowhere implements Broker {
        private final AtomicLong arrived = new AtomicLong();

        @Override
        public Transport transport() {
            return new Transport() {
                @Override
                public void send(Delivery delivery, Consumer<Outcome> outcome) {
                    arrived.incrementAndGet();
                    outcome.accept(Outcome.confirmed());
                }
            };
        }

        @Override
        public BareClient bareClient(Map<String, String> attributes) {
            throw new UnsupportedOperationException("there is nothing to publish to");
        }

        @Override
        public long takeArrived() {
            return arrived.getAndSet(0);
        }

        @Override
        public void close() {}
    }
}
