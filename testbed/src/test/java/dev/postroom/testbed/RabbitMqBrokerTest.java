package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RabbitMqBrokerTest {
    private static final byte[] PROTOCOL = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    @Test
    void the_shared_one_answers() throws IOException {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        assertThat(RabbitMqBroker.shared()).isSameAs(broker);
        assertThat(version(broker)).startsWith(numbers());
    }

    @Test
    void a_broker_of_ones_own_is_killed_and_comes_back_on_the_same_port() throws IOException {
        try (RabbitMqBroker broker = RabbitMqBroker.start()) {
            assertThat(version(broker)).startsWith(numbers());
            broker.control("add_user", "kept", "word");
            broker.kill();
            assertThat(speaksAmqp(broker.host(), broker.port())).isFalse();
            broker.restart();
            assertThat(speaksAmqp(broker.host(), broker.port())).isTrue();
            broker.control("authenticate_user", "kept", "word");
            broker.raiseMemoryAlarm();
            broker.liftMemoryAlarm();
            broker.stop();
            assertThat(speaksAmqp(broker.host(), broker.port())).isFalse();
        }
    }

    @Test
    void a_proxy_stalls_cuts_refuses_and_lets_through_again() throws IOException {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        try (TcpProxy proxy = TcpProxy.to(broker.host(), broker.port())) {
            assertThat(broker.uriAt(proxy.port())).endsWith(":" + proxy.port() + broker.path());
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isTrue();
            proxy.stallAnswers();
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isFalse();
            proxy.flow();
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isTrue();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                proxy.refuse();
                assertThat(isBroken(socket)).isTrue();
            }
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isFalse();
            proxy.accept();
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isTrue();
        }
    }

    @Test
    void a_given_server_is_reached_but_never_ended() {
        RabbitMqBroker given = RabbitMqBroker.given("amqp://me:word@mq/shop");
        assertThat(given.host()).isEqualTo("mq");
        assertThat(given.port()).isEqualTo(5672);
        assertThat(given.password()).isEqualTo("word");
        assertThat(given.uriAt(7)).isEqualTo("amqp://me:word@127.0.0.1:7/shop");
        assertThatThrownBy(given::kill).hasMessageContaining(RabbitMqBroker.VARIABLE);
        assertThatThrownBy(() -> RabbitMqBroker.given("amqp://mq")).hasMessageContaining(RabbitMqBroker.VARIABLE);
    }

    /** Those that the version of this run must begin with; Debian's own may be any. */
    private static String numbers() {
        String wanted = RabbitMqVersion.parse(System.getProperty(RabbitMqBroker.VERSION, ""))
                .programs();
        return wanted.equals(RabbitMqPrograms.DEBIANS_OWN) ? "" : wanted;
    }

    /** As the broker says it in the first frame, which begins with type, channel and size. */
    private static String version(RabbitMqBroker broker) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName(broker.host()), broker.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(PROTOCOL);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.readUnsignedByte();
            in.readUnsignedShort();
            String frame = new String(in.readNBytes(in.readInt()), StandardCharsets.ISO_8859_1);
            Matcher version = Pattern.compile("versionS\\x00{3}.([0-9.]+)").matcher(frame);
            assertThat(version.find()).as(frame).isTrue();
            return version.group(1);
        }
    }

    /** Closed, or reset when nobody had accepted it yet. */
    private static boolean isBroken(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static boolean speaksAmqp(String host, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName(host), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(PROTOCOL);
            return socket.getInputStream().read() == 1;
        } catch (ConnectException | SocketTimeoutException e) {
            return false;
        }
    }
}
