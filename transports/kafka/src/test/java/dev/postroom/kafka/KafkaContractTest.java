package dev.postroom.kafka;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testkit.contract.DestinationUnderTest;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.testkit.contract.TransportContract;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A broker behind a bad network. */
class KafkaContractTest extends TransportContract {
    private static final String SECRET = "not to be told";

    private static KafkaBroker broker;

    @BeforeAll
    static void start() {
        broker = KafkaBroker.start("message.max.bytes=3000000\n");
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Override
    protected DestinationUnderTest open() {
        return new Topic();
    }

    private static final class Topic implements DestinationUnderTest {
        private final TestTopic topic = TestTopic.create(broker);
        private final Kafka kafka = Kafka.at(broker.address())
                .property("ssl.key.password", SECRET)
                // As short as a relay's lease would make them, so that an outage is noticed in time.
                .property("delivery.timeout.ms", "5000")
                .property("max.block.ms", "2000");

        @Override
        public Transport transport() {
            return kafka;
        }

        @Override
        public String topic() {
            return topic.name();
        }

        @Override
        public List<Received> received() {
            return topic.records().stream().map(TestTopic::read).toList();
        }

        @Override
        public String secret() {
            return SECRET;
        }

        @Override
        public void goDown() {
            broker.network().refuse();
        }

        @Override
        public void comeBack() {
            broker.network().accept();
        }

        @Override
        public void fallSilent() {
            broker.network().stall();
        }

        @Override
        public void answerAgain() {
            broker.network().flow();
        }

        @Override
        public Delivery refused() {
            return SampleDelivery.to(topic())
                    .headers(Map.of("traceparent", "no\u0007control"))
                    .build();
        }

        @Override
        public Delivery tooLarge() {
            return SampleDelivery.to(topic()).payload(new byte[3_000_000]).build();
        }

        @Override
        public void close() {
            broker.network().accept();
            broker.network().flow();
            topic.close();
        }
    }
}
