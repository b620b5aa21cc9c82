package dev.postroom.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RabbitMqBrokerTest {

    @Test
    void the_shared_one_answers() throws IOException {
        RabbitMqBroker broker = RabbitMqBroker.shared();
        assertThat(RabbitMqBroker.shared()).isSameAs(broker);
        assertThat(speaksAmqp(broker.host(), broker.port())).isTrue();
    }

    @Test
    void a_broker_of_ones_own_is_killed_and_comes_back_on_the_same_port() throws IOException {
        try (RabbitMqBroker broker = RabbitMqBroker.start()) {
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
            assertThat(broker.uriAt(proxy.port())).endsWith(":" + proxy.port());
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isTrue();
            proxy.stallAnswers();
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isFalse();
            proxy.flow();
            assertThat(speaksAmqp("127.0.0.1", proxy.port())).isTrue();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
                proxy.refuse();
                socket.setSoTimeout(5_000);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
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

    private static boolean speaksAmqp(String host, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName(host), port)) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 0, 0, 9, 1});
            return socket.getInputStream().read() == 1;
        } catch (ConnectException | SocketTimeoutException e) {
            return false;
        }
    }
}
