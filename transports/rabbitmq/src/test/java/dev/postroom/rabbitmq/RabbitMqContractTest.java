package dev.postroom.rabbitmq;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testkit.contract.DestinationUnderTest;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.testkit.contract.TransportContract;
import java.util.List;
import java.util.Map;

/** The real broker, behind a proxy that cuts and stalls. */
class RabbitMqContractTest extends TransportContract {

    @Override
    protected DestinationUnderTest open() throws Exception {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        TestQueue queue = TestQueue.bound(broker, "contract.#");
        TcpProxy proxy = TcpProxy.to(broker.host(), broker.port());
        Transport transport = RabbitMq.at(broker.uriAt(proxy.port())).exchange(queue.exchange);
        return new Destination(transport, queue, proxy, broker.password());
    }

    private record Destination(Transport transport, TestQueue queue, TcpProxy proxy, String secret)
            implements DestinationUnderTest {

        @Override
        public String topic() {
            return "contract.topic";
        }

        @Override
        public List<Received> received() {
            return queue.received();
        }

        @Override
        public void goDown() {
            proxy.refuse();
        }

        @Override
        public void comeBack() {
            proxy.accept();
        }

        @Override
        public void fallSilent() {
            proxy.stall();
        }

        @Override
        public void answerAgain() {
            proxy.flow();
        }

        /** The broker would close the channel on a header CC that is no list. */
        @Override
        public Delivery refused() {
            return SampleDelivery.to(topic()).headers(Map.of("CC", "elsewhere")).build();
        }

        /** All headers must fit into one frame, of 128 KiB unless the broker says otherwise. */
        @Override
        public Delivery tooLarge() {
            return SampleDelivery.to(topic())
                    .headers(Map.of("note", "x".repeat(131_072)))
                    .build();
        }

        @Override
        public void close() {
            proxy.close();
            queue.close();
        }
    }
}
