package dev.postroom.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.MissedHeartbeatException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("R25")
@Tag("R26")
class FailuresTest {

    static Stream<Arguments> failures_to_connect() {
        Method refused = new AMQP.Connection.Close.Builder()
                .replyCode(530)
                .replyText("vhost x not found")
                .build();
        return Stream.of(
                Arguments.of(new AuthenticationFailureException("ACCESS_REFUSED"), "user or password"),
                Arguments.of(new PossibleAuthenticationFailureException("closed"), "virtual host"),
                Arguments.of(
                        new IOException(new ShutdownSignalException(true, false, refused, null)),
                        "530 vhost x not found"),
                Arguments.of(new ConnectException("Connection refused"), "cannot be reached: Connection refused"),
                Arguments.of(new UnknownHostException("mq"), "host is unknown: mq"),
                Arguments.of(
                        new SSLHandshakeException("no trust"),
                        "no TLS connection to RabbitMQ: the TLS handshake failed: check that the port speaks TLS, and which"
                                + " versions (no trust)"),
                Arguments.of(new TimeoutException(), "did not answer in time"),
                Arguments.of(new SocketTimeoutException("connect timed out"), "no connection"),
                Arguments.of(new NoRouteToHostException("no route"), "no connection"),
                Arguments.of(new IOException(null, new EOFException()), "java.io.EOFException"),
                Arguments.of(new EOFException(), "no connection"));
    }

    @ParameterizedTest
    @MethodSource("failures_to_connect")
    void without_a_connection_the_destination_is_held(Exception failure, String text) {
        assertThat(Failures.cannotConnect(failure)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.reason()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
            assertThat(failed.error()).contains(text);
        });
    }

    @ParameterizedTest(name = "{0} with {1} unconfirmed")
    @CsvSource({
        "404, 1, DESTINATION, TRANSPORT_UNAVAILABLE",
        "404, 9, DESTINATION, TRANSPORT_UNAVAILABLE",
        "403, 1, TOPIC, TRANSPORT_UNAVAILABLE",
        "403, 9, TOPIC, TRANSPORT_UNAVAILABLE",
        "406, 1, MESSAGE, VALIDATION_FAILURE",
        "406, 9, UNCLEAR, TRANSPORT_UNAVAILABLE",
        "311, 1, MESSAGE, VALIDATION_FAILURE",
        "311, 9, UNCLEAR, TRANSPORT_UNAVAILABLE",
        "405, 1, UNCLEAR, TRANSPORT_UNAVAILABLE",
        "0, 1, UNCLEAR, TRANSPORT_UNAVAILABLE"
    })
    void a_channel_that_the_broker_closes(int code, int unconfirmed, Scope scope, FailureReason reason) {
        Method close = new AMQP.Channel.Close.Builder()
                .replyCode(code)
                .replyText("WHY")
                .build();
        Outcome outcome = Failures.closed(new ShutdownSignalException(false, false, close, null), unconfirmed);
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.scope()).isEqualTo(scope);
            assertThat(failed.reason()).isEqualTo(reason);
            assertThat(failed.error()).contains(code + " WHY");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "320, DESTINATION",
        "402, UNCLEAR",
        "501, UNCLEAR",
        "502, UNCLEAR",
        "503, UNCLEAR",
        "504, UNCLEAR",
        "505, UNCLEAR",
        "506, UNCLEAR",
        "530, UNCLEAR",
        "540, UNCLEAR",
        "541, UNCLEAR"
    })
    void a_connection_that_the_broker_closes(int code, Scope scope) {
        Method close = new AMQP.Connection.Close.Builder()
                .replyCode(code)
                .replyText("WHY")
                .build();
        Outcome outcome = Failures.closed(new ShutdownSignalException(true, false, close, null), 1);
        assertThat(outcome).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.scope()).isEqualTo(scope);
            assertThat(failed.reason()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
            assertThat(failed.error()).contains(code + " WHY");
        });
    }

    @Test
    void a_connection_that_breaks_leaves_it_unclear() {
        ShutdownSignalException signal = new ShutdownSignalException(true, false, null, null);
        signal.initCause(new MissedHeartbeatException("silent"));
        assertThat(Failures.closed(signal, 1)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.scope()).isEqualTo(Scope.UNCLEAR);
            assertThat(failed.error()).contains("silent");
        });
    }

    @Test
    void what_concerns_queues_holds_the_topic() {
        assertThat(Failures.returned("x", "k")).extracting("scope").isEqualTo(Scope.TOPIC);
        assertThat(Failures.nacked("k")).extracting("scope").isEqualTo(Scope.TOPIC);
    }

    @Test
    void a_broker_that_blocks_holds_the_destination() {
        assertThat(Failures.blocked("low on memory")).extracting("scope").isEqualTo(Scope.DESTINATION);
    }
}
