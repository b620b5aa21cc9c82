package dev.postroom.http;

import com.sun.net.httpserver.Headers;
import dev.postroom.http.Receiver.Request;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testkit.contract.DestinationUnderTest;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.testkit.contract.TransportContract;
import io.cloudevents.http.HttpMessageFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A web server behind a bad network. */
class WebhookContractTest extends TransportContract {

    @Override
    protected DestinationUnderTest open() throws Exception {
        return new WebServer();
    }

    private static final class WebServer implements DestinationUnderTest {
        private static final String SECRET = "not to be told";

        private static final int MOST_BYTES = 2_000_000;

        private final Receiver receiver =
                Receiver.start().answering(request -> Receiver.Reply.of(isTooLarge(request) ? 413 : 200));
        private final TcpProxy network = TcpProxy.to("127.0.0.1", receiver.port());
        private final Webhook webhook = Webhook.to("http://127.0.0.1:" + network.port() + "/" + "hook-token")
                .allowPrivateAddresses()
                .secret(SECRET)
                .timeout(Duration.ofSeconds(5));

        WebServer() throws Exception {}

        @Override
        public Transport transport() {
            return webhook;
        }

        @Override
        public String topic() {
            return "orders";
        }

        @Override
        public List<Received> received() {
            return receiver.requests().stream()
                    .filter(request -> !isTooLarge(request))
                    .map(WebServer::read)
                    .toList();
        }

        private static boolean isTooLarge(Request request) {
            return request.body().length > MOST_BYTES;
        }

        /** The SDK's reader does not undo the percent encoding, which its specification asks for. */
        private static Received read(Request request) {
            Map<String, String> attributes = new TreeMap<>();
            Map<String, String> others = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            Headers headers = request.headers();
            headers.forEach((name, values) -> {
                if (name.startsWith("Ce-")) {
                    attributes.put(name, URLDecoder.decode(values.get(0).replace("+", "%2B"), StandardCharsets.UTF_8));
                } else {
                    others.put(name, values.get(0));
                }
            });
            attributes.put("content-type", headers.getFirst("Content-type"));
            return new Received(
                    HttpMessageFactory.createReader(attributes, request.body()).toEvent(),
                    others,
                    headers.getFirst("Content-encoding"));
        }

        @Override
        public String secret() {
            return SECRET;
        }

        @Override
        public void goDown() {
            network.refuse();
        }

        @Override
        public void comeBack() {
            network.accept();
        }

        @Override
        public void fallSilent() {
            network.stall();
        }

        @Override
        public void answerAgain() {
            network.flow();
        }

        @Override
        public Delivery refused() {
            return SampleDelivery.to(topic())
                    .headers(Map.of("not a token", "v"))
                    .build();
        }

        @Override
        public Delivery tooLarge() {
            return SampleDelivery.to(topic()).payload(new byte[MOST_BYTES + 1]).build();
        }

        @Override
        public void close() {
            network.close();
            receiver.close();
        }
    }
}
