package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One connection with its channels, from its beginning to its end. One thread publishes and ends it; {@link #check} and
 * {@link #cut} may be called by others.
 */
final class Session {
    private static final int CLOSE_MILLIS = 1_000;

    private final RabbitMqSettings settings;
    private final Wire wire;
    private final Connection connection;
    private final List<ConfirmedChannel> channels = new CopyOnWriteArrayList<>();
    private volatile @Nullable String blocked;
    private volatile boolean hasConfirmed;
    private volatile long lastAnswer = System.nanoTime();
    /** What is being written right now, which may take long when the broker does not read. */
    private volatile @Nullable Parcel writing;

    private Session(RabbitMqSettings settings, Wire wire, Connection connection) {
        this.settings = settings;
        this.wire = wire;
        this.connection = connection;
    }

    /**
     * Connects, and sees to it that the exchange is there.
     *
     * @param onChange called when the connection has ended
     */
    static Session open(RabbitMqSettings settings, Wire wire, Runnable onChange)
            throws IOException, TimeoutException, GeneralSecurityException {
        Connection connection = settings.factory(wire).newConnection("postroom");
        try {
            Session session = new Session(settings, wire, connection);
            connection.addBlockedListener(
                    reason -> session.blocked = reason == null ? "no reason given" : reason,
                    () -> session.blocked = null);
            session.requireExchange();
            for (int i = 0; i < settings.channels(); i++) {
                session.channels.add(session.channel());
            }
            connection.addShutdownListener(signal -> onChange.run());
            return session;
        } catch (IOException | RuntimeException e) {
            connection.abort(CLOSE_MILLIS);
            throw e;
        }
    }

    private ConfirmedChannel channel() throws IOException {
        return ConfirmedChannel.open(connection, settings.exchange(), this::answered);
    }

    private void answered() {
        lastAnswer = System.nanoTime();
        hasConfirmed = true;
    }

    /** Looks first and declares only what is missing: so it needs no permission to, nor minds another type. */
    private void requireExchange() throws IOException {
        String exchange = settings.exchange();
        if (exchange.isEmpty()) {
            return;
        }
        Channel channel = connection.createChannel();
        try {
            channel.exchangeDeclarePassive(exchange);
            channel.abort();
        } catch (IOException e) {
            if (!isNotFound(e)) {
                throw e;
            }
            Channel another = connection.createChannel(); // the first was closed for the question
            another.exchangeDeclare(exchange, "topic", true);
            another.abort();
        }
    }

    private static boolean isNotFound(IOException e) {
        return e.getCause() instanceof ShutdownSignalException signal
                && signal.getReason() instanceof AMQP.Channel.Close close
                && close.getReplyCode() == AMQP.NOT_FOUND;
    }

    boolean isOpen() {
        return connection.isOpen();
    }

    /** Why the broker takes nothing at the moment, or null. */
    @Nullable
    String blocked() {
        return blocked;
    }

    /** Whether the broker has answered for a message. */
    boolean hasConfirmed() {
        return hasConfirmed;
    }

    /**
     * Writes the message, unless it cannot or must not be.
     *
     * @throws IOException when the session is at its end; the parcel may not be answered then
     */
    void publish(Parcel parcel) throws IOException {
        AmqpMessage message = encode(parcel);
        if (message == null) {
            return;
        }
        ConfirmedChannel channel = channelFor(parcel.delivery());
        String reason = blocked;
        if (reason != null) {
            parcel.answer(Failures.blocked(reason));
            return;
        }
        if (parcel.isPastDeadline(System.nanoTime())) {
            parcel.answer(Outcome.notSent("it could not be written while its lane was known to be ours"));
            return;
        }
        writing = parcel;
        try {
            channel.publish(parcel, message);
        } finally {
            writing = null;
        }
    }

    private @Nullable AmqpMessage encode(Parcel parcel) {
        Delivery delivery = parcel.delivery();
        FailureReason reason = FailureReason.UNKNOWN; // of the routing key, which is the application's code
        try {
            String routingKey = settings.routingKey().apply(delivery);
            reason = FailureReason.SERIALIZATION;
            return AmqpMessage.of(delivery, routingKey, settings.format(), connection.getFrameMax());
        } catch (DeliveryFailedException e) {
            parcel.answer(Outcome.failed(e.reason(), String.valueOf(e.getMessage())));
        } catch (RuntimeException e) { // this message must not end the session
            parcel.answer(Outcome.failed(reason, "it cannot be turned into an AMQP message: " + e));
        } catch (Error e) { // nor one that takes all memory or stack; it may be innocent, so it is tried again
            parcel.answer(Outcome.failed(FailureReason.UNKNOWN, "it cannot be turned into an AMQP message: " + e));
        }
        return null;
    }

    /**
     * Always the same for a stream. The relay sends the next message of a stream when the one before is confirmed; but one
     * that it has given up and sends again could overtake the first try on another channel.
     */
    private ConfirmedChannel channelFor(Delivery delivery) throws IOException {
        Object order = delivery.stream().isOrdered() ? delivery.stream() : delivery.id();
        int index = Math.floorMod(order.hashCode(), channels.size());
        if (!channels.get(index).isOpen()) {
            requireExchange(); // it may be gone, and be the reason
            channels.set(index, channel());
        }
        return channels.get(index);
    }

    /** Ends what neither goes on nor breaks. */
    void check(long now) {
        Parcel stuck = writing;
        if (stuck != null && stuck.isPastDeadline(now)) {
            cut(); // what the broker has of it is not a whole message, and never will be
            return;
        }
        long timeout = settings.confirmTimeout().toNanos();
        Outcome late = Outcome.failed(
                FailureReason.TIMEOUT,
                "RabbitMQ did not confirm within " + settings.confirmTimeout().toMillis() + " ms");
        boolean expired = false;
        for (ConfirmedChannel channel : channels) {
            expired |= channel.expire(now - timeout, late);
        }
        if (expired && blocked == null && now - lastAnswer >= timeout) {
            cut(); // it has confirmed nothing at all
        }
    }

    void cut() {
        wire.cut();
    }

    /** Closes it; what is not confirmed gets this answer. */
    void end(Outcome outcome) {
        channels.forEach(channel -> channel.answerAll(outcome));
        connection.abort(CLOSE_MILLIS);
        wire.cut();
    }
}
