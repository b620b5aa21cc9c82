package dev.postroom.follow;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages in memory, and what was settled so recently that a read may still bring it as it was. */
final class Memory {
    private final Map<UUID, Message> messages = new HashMap<>();
    private final Map<UUID, JustSettled> justSettled = new HashMap<>();
    /** Whether a read is under way. */
    private boolean reading;

    /** How often another server has answered a read. */
    private int servers;

    /** Bits of the destinations where it was settled since the read began, and of those where it had failed, recorded or not. */
    private static final class JustSettled {
        long settled;
        long failed;
        long notRecorded;
    }

    int size() {
        return messages.size();
    }

    Collection<Message> messages() {
        return messages.values();
    }

    @Nullable
    Message find(UUID id) {
        return messages.get(id);
    }

    void add(Message message) {
        messages.put(message.key().id(), message);
    }

    /** Its last delivery has gone. */
    void letGo(Message message) {
        messages.remove(message.key().id(), message);
    }

    /** Another server answers, which may not know what the one before has recorded. */
    void anotherServer() {
        servers++;
        messages.values().forEach(Message::forgetWhatWasRecorded);
    }

    /** Changes with each server that reads have met. */
    int servers() {
        return servers;
    }

    boolean isReading() {
        return reading;
    }

    void readBegan() {
        reading = true;
    }

    /** No read is under way any more that began before something was settled. */
    void readEnded() {
        reading = false;
        justSettled.clear();
    }

    void settled(Delivery delivery, boolean failed) {
        long destination = delivery.destination().mask();
        settled(delivery.message().key().id(), destination, failed ? destination : 0);
    }

    /** It failed, and that was not recorded: what its row is now is not known. */
    void notRecorded(Delivery delivery) {
        settled(delivery, true);
        JustSettled guard = justSettled.get(delivery.message().key().id());
        if (guard != null) {
            guard.notRecorded |= delivery.destination().mask();
        }
    }

    /** Confirmed before, and recorded only now: it was in memory no more. */
    void settledAside(UUID id, long destinations) {
        settled(id, destinations, 0);
    }

    private void settled(UUID id, long destinations, long failed) {
        if (reading) {
            JustSettled guard = justSettled.computeIfAbsent(id, key -> new JustSettled());
            guard.settled |= destinations;
            guard.failed |= failed;
        }
    }

    /** Whether what became of it there was recorded since the read began that is under way. */
    boolean wasJustSettled(UUID id, Destination destination) {
        JustSettled guard = justSettled.isEmpty() ? null : justSettled.get(id);
        return guard != null && (guard.settled & destination.mask()) != 0;
    }

    /** Whether it had failed there, and what its row is now is not known. */
    boolean wasNotRecorded(UUID id, Destination destination) {
        JustSettled guard = justSettled.get(id);
        return guard != null && (guard.notRecorded & destination.mask()) != 0;
    }

    /** Whether it had failed there, or nobody knows. */
    boolean hasJustFailed(UUID id, Destination destination) {
        JustSettled guard = justSettled.get(id);
        return guard != null && (guard.failed & destination.mask()) != 0;
    }
}
