package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import dev.postroom.tls.TlsTrouble;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure means for the messages concerned. {@code docs/rabbitmq.md} has the same as a table.
 *
 * <p>The exchange is the destination, and which queues get a message is a matter of its topic. So what concerns the
 * exchange is blamed on the destination, what concerns queues on the topic. A message itself is to blame only where
 * nothing else can be.
 */
final class Failures {
    private Failures() {}

    /** No connection could be made, or it could not be set up. Nothing was sent, so it is the destination's fault. */
    static Outcome cannotConnect(Throwable failure) {
        return Outcome.unavailable(why(failure));
    }

    /** The text of {@link #cannotConnect}. */
    static String why(Throwable failure) {
        ShutdownSignalException signal = signalIn(failure);
        if (failure instanceof AuthenticationFailureException) {
            return "RabbitMQ refuses user or password: check the URI's";
        }
        if (failure instanceof PossibleAuthenticationFailureException) {
            return "RabbitMQ closed the connection while logging in: check user, password and virtual host";
        }
        if (signal != null) {
            return "RabbitMQ refuses: " + text(signal);
        }
        if (failure instanceof UnknownHostException) {
            return "RabbitMQ's host is unknown: " + failure.getMessage();
        }
        if (failure instanceof ConnectException) {
            return "RabbitMQ cannot be reached: " + failure.getMessage();
        }
        Optional<String> handshake = TlsTrouble.explain(failure);
        if (handshake.isPresent()) {
            return "no TLS connection to RabbitMQ: " + handshake.get();
        }
        if (failure.getClass() == SocketException.class) {
            // What a broker says of a certificate that it misses may get lost, since it closes at once.
            return "RabbitMQ broke the connection off while it was being made (" + failure.getMessage()
                    + "): check the port, and over TLS whether it wants a certificate of ours (tls.certificate)";
        }
        if (failure instanceof TimeoutException) {
            return "RabbitMQ did not answer in time while connecting";
        }
        Throwable cause = failure.getCause();
        return "no connection to RabbitMQ: " + (failure.getMessage() == null && cause != null ? cause : failure);
    }

    /**
     * The broker closed the channel, which it does when it cannot do what it was asked to. It does not say which message it
     * means.
     *
     * @param unconfirmed how many messages of the channel had no answer
     */
    static Outcome channelClosed(int replyCode, String text, int unconfirmed) {
        String error = "RabbitMQ closed the channel: " + text;
        return switch (replyCode) {
            // The exchange has gone; the next channel declares it again.
            case AMQP.NOT_FOUND -> Outcome.unavailable(error);
            // Writing to the exchange, or with this routing key, is not allowed. Who is innocent goes on at the next
            // probe.
            case AMQP.ACCESS_REFUSED -> Outcome.topicUnavailable(error);
            // A message that the broker does not take as it is, such as one above its max_message_size.
            case AMQP.PRECONDITION_FAILED, AMQP.CONTENT_TOO_LARGE ->
                unconfirmed == 1 ? Outcome.failed(FailureReason.VALIDATION_FAILURE, error) : Outcome.interrupted(error);
            default -> Outcome.interrupted(error);
        };
    }

    /** The connection ended with messages unconfirmed, which may or may not be with the broker. */
    static Outcome connectionClosed(int replyCode, String text) {
        String error = "the connection to RabbitMQ ended before it confirmed: " + text;
        // An operator or the broker's own end closed it: no message did.
        return replyCode == AMQP.CONNECTION_FORCED ? Outcome.unavailable(error) : Outcome.interrupted(error);
    }

    /** What the end of a channel means, whether it was its own or its connection's. */
    static Outcome closed(ShutdownSignalException signal, int unconfirmed) {
        return signal.isHardError()
                ? connectionClosed(replyCode(signal), text(signal))
                : channelClosed(replyCode(signal), text(signal), unconfirmed);
    }

    /** No queue takes this routing key; the confirmation that follows only says that the broker is done with it. */
    static Outcome returned(String exchange, String routingKey) {
        return Outcome.topicUnavailable("no queue is bound to exchange '" + exchange + "' for routing key '"
                + routingKey + "': bind one, or route the topic elsewhere");
    }

    /**
     * A queue did not take it: it is full and rejects what comes ({@code x-overflow: reject-publish}), or its process
     * failed. Both concern the queues of the topic and not the message, and a queue may be full for a day: so the
     * topic is held, and nobody's attempts are spent.
     */
    static Outcome nacked(String routingKey) {
        return Outcome.topicUnavailable("a queue for routing key '" + routingKey
                + "' rejected the message: it is full, or has failed; see the queue's limits and the broker's log");
    }

    /** The broker has stopped reading, for want of memory or disk space. */
    static Outcome blocked(String reason) {
        return Outcome.unavailable("RabbitMQ blocks publishers: " + reason);
    }

    private static int replyCode(ShutdownSignalException signal) {
        Method reason = signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }

    private static String text(ShutdownSignalException signal) {
        Method reason = signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        return signal.getCause() == null ? "it broke" : signal.getCause().toString();
    }

    private static @Nullable ShutdownSignalException signalIn(@Nullable Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof ShutdownSignalException signal && replyCode(signal) != 0) {
                return signal;
            }
        }
        return null;
    }
}
