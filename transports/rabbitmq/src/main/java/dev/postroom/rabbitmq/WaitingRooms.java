package dev.postroom.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Where failed messages wait. One is taken out ahead of its time, kept in memory until then, and put into the next room or
 * back into its queue; it leaves its room when the broker has confirmed that. If the process dies meanwhile it is in its room
 * still, or in both, with the same id.
 *
 * <p>The broker could do this itself, by dead-lettering what has expired. But a classic queue may lose a message on that way
 * when the broker dies, and a quorum queue that must not lose any was found without a leader after the broker was killed, for
 * good (RabbitMQ 3.10.8; rabbitmq-server issue 16652 has it for 4.2).
 */
final class WaitingRooms {
    /**
     * From how many deliveries in vain on a message changes to a copy of itself. Rooms have no limit of ours, but a policy may
     * set one for all queues; and a message in a room has no place to lose.
     */
    private static final int RENEWED_FROM = 3;

    private final InboxSettings settings;
    private final Channel channel;
    private final Moves moves;
    private final InstantSource time = InstantSource.system();

    WaitingRooms(InboxSettings settings, Channel channel, Moves moves) {
        this.settings = settings;
        this.channel = channel;
        this.moves = moves;
    }

    /** @param onCancel told the queue's name, when the broker ends its consumer */
    void open(Consumer<String> onCancel) throws IOException {
        channel.addShutdownListener(signal -> moves.end(Failures.why(signal)));
        channel.basicQos(settings.prefetch());
        for (WaitingRoom room : WaitingRoom.values()) {
            String queue = room.queue(settings);
            channel.basicConsume(queue, false, (tag, delivery) -> keep(delivery, room), tag -> onCancel.accept(queue));
        }
    }

    private void keep(Delivery delivery, WaitingRoom room) {
        boolean worn = ReturnedAmqp.deliveredInVain(delivery.getProperties()) >= RENEWED_FROM;
        moves.after(worn ? 0 : Math.min(millisLeft(delivery), room.millis()), () -> move(delivery));
    }

    private long millisLeft(Delivery delivery) {
        return Math.max(0, ReturnedAmqp.due(delivery.getProperties()) - time.millis());
    }

    private void move(Delivery delivery) {
        long left = millisLeft(delivery);
        String next = left == 0 ? settings.queue() : WaitingRoom.of(left).queue(settings);
        moves.move(
                delivery,
                next,
                () -> channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false),
                () -> moves.end("RabbitMQ rejected a message that had waited: its queue is full or failed"));
    }
}
