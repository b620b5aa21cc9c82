package dev.postroom.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * A channel with publisher confirms and what it has not confirmed yet. One thread publishes; answers come on the
 * connection's.
 */
final class ConfirmedChannel {
    private final Channel channel;
    private final String exchange;
    private final Runnable onConfirm;
    private final ConcurrentNavigableMap<Long, Parcel> unconfirmed = new ConcurrentSkipListMap<>();

    private ConfirmedChannel(Channel channel, String exchange, Runnable onConfirm) {
        this.channel = channel;
        this.exchange = exchange;
        this.onConfirm = onConfirm;
    }

    /** @param onConfirm called whenever the broker has answered for something */
    static ConfirmedChannel open(Connection connection, String exchange, Runnable onConfirm) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("RabbitMQ allows no more channels on this connection: lower the number of channels");
        }
        ConfirmedChannel confirmed = new ConfirmedChannel(channel, exchange, onConfirm);
        channel.confirmSelect();
        channel.addReturnListener(confirmed::returned);
        channel.addConfirmListener(confirmed::acked, confirmed::nacked);
        channel.addShutdownListener(confirmed::ended);
        return confirmed;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /**
     * Writes the message; the parcel is answered later, or now if it fails.
     *
     * @throws IOException when the connection is broken; the parcel is answered
     */
    void publish(Parcel parcel, AmqpMessage message) throws IOException {
        long number = channel.getNextPublishSeqNo();
        parcel.write(message.routingKey(), System.nanoTime());
        // Before it is written, because the answer may come before this thread goes on.
        unconfirmed.put(number, parcel);
        try {
            channel.basicPublish(exchange, message.routingKey(), true, message.properties(), message.body());
        } catch (AlreadyClosedException e) {
            unconfirmed.remove(number);
            parcel.answer(Outcome.notSent("the channel to RabbitMQ was closed before it was written"));
        } catch (IOException e) {
            unconfirmed.remove(number);
            parcel.answer(Outcome.interrupted("the connection to RabbitMQ broke while it was written: " + e));
            throw e;
        } catch (RuntimeException e) {
            // Refused by the client library, which has counted it: the numbers of this channel are not the broker's any
            // more.
            unconfirmed.remove(number);
            parcel.answer(Outcome.failed(FailureReason.VALIDATION_FAILURE, "cannot be written as AMQP: " + e));
            answerAll(Outcome.interrupted("the channel to RabbitMQ was given up"));
            channel.abort();
        }
    }

    private void returned(Return message) {
        String id = message.getProperties().getMessageId();
        // Returns come in the order of publishing, so this is one of the first.
        for (Parcel parcel : unconfirmed.values()) {
            if (!parcel.wasReturned() && parcel.delivery().id().toString().equals(id)) {
                parcel.giveBack();
                return;
            }
        }
    }

    private void acked(long number, boolean multiple) {
        answer(
                number,
                multiple,
                parcel ->
                        parcel.wasReturned() ? Failures.returned(exchange, parcel.routingKey()) : Outcome.confirmed());
        onConfirm.run();
    }

    private void nacked(long number, boolean multiple) {
        answer(number, multiple, parcel -> Failures.nacked(parcel.routingKey()));
        onConfirm.run();
    }

    private void answer(long number, boolean multiple, Function<Parcel, Outcome> outcome) {
        if (!multiple) {
            Parcel parcel = unconfirmed.remove(number);
            if (parcel != null) {
                parcel.answer(outcome.apply(parcel));
            }
            return;
        }
        NavigableMap<Long, Parcel> all = unconfirmed.headMap(number, true);
        all.values().forEach(parcel -> parcel.answer(outcome.apply(parcel)));
        all.clear();
    }

    /**
     * The library has closed the channel before it tells so: whoever publishes from here on is refused there. Such a message may stand in
     * the map for a moment, and is not among those that the broker may have meant.
     */
    private void ended(ShutdownSignalException signal) {
        List<Long> numbers = List.copyOf(unconfirmed.keySet());
        answer(numbers, Failures.closed(signal, numbers.size()));
    }

    void answerAll(Outcome outcome) {
        answer(unconfirmed.keySet(), outcome);
    }

    private void answer(Collection<Long> numbers, Outcome outcome) {
        for (Long number : numbers) {
            Parcel parcel = unconfirmed.remove(number);
            if (parcel != null) {
                parcel.answer(outcome);
            }
        }
    }

    /**
     * Answers for what has waited since before then, and forgets it: a confirmation that comes yet finds nobody. Tells
     * whether there was any.
     */
    boolean expire(long writtenBefore, Outcome outcome) {
        return unconfirmed.values().removeIf(parcel -> {
            boolean expired = parcel.writtenAt() - writtenBefore < 0;
            if (expired) {
                parcel.answer(outcome);
            }
            return expired;
        });
    }
}
