package dev.postroom.follow;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One topic, or one type, at one destination, since it was first stopped there: by an operator's pause, or by its breaker. While the
 * breaker alone stops it, one of its messages is kept in memory to be tried, or a round of them, outside the destination's share.
 */
final class Gate {
    /** What a gate is named after. */
    enum Kind {
        TOPIC,
        TYPE
    }

    private final Kind kind;
    private final String name;
    private final Breaker breaker;
    private final Set<Delivery> present = new LinkedHashSet<>();
    private @Nullable String pausedBy;
    /** Followers of what it holds back, in all lanes. */
    private int parts;

    Gate(Kind kind, String name, Breaker breaker) {
        this.kind = kind;
        this.name = name;
        this.breaker = breaker;
    }

    Kind kind() {
        return kind;
    }

    String name() {
        return name;
    }

    Breaker breaker() {
        return breaker;
    }

    boolean guards(Message message) {
        return name.equals(kind == Kind.TOPIC ? message.topic().name() : message.type());
    }

    boolean isClosed() {
        return pausedBy != null || breaker.isOpen();
    }

    /** Whether a message may be tried while it is closed: nobody tries what an operator has paused. */
    boolean isProbed() {
        return pausedBy == null && breaker.isOpen();
    }

    /**
     * Whether it keeps a message from coming into memory: closed, and there are those to try already, or none is wanted.
     *
     * @param again whether the message has been tried before, and is due again
     */
    boolean isShut(boolean again) {
        return isClosed() && !(isProbed() && present.size() < breaker.round(again));
    }

    @Nullable
    String pausedBy() {
        return pausedBy;
    }

    void pause(String by) {
        pausedBy = by;
    }

    void resume() {
        pausedBy = null;
    }

    /** While it is closed it knows what is in memory behind it: what was on the wire when it closed, or is kept to be tried. */
    void keep(Delivery delivery) {
        present.add(delivery);
    }

    void forget(Delivery delivery) {
        present.remove(delivery);
    }

    /** How many it keeps to be tried. */
    int kept() {
        return isProbed() ? Math.min(present.size(), breaker.round(true)) : 0;
    }

    Set<Delivery> present() {
        return present;
    }

    /** The message to try now, if order allows it and none is on the wire, but for others of the same round. */
    @Nullable
    Delivery toTry() {
        Delivery next = null;
        for (Delivery delivery : present) {
            if (delivery.isSent() && !breaker.isInRound()) {
                return null;
            }
            if (delivery.mayGo()) {
                next = delivery;
            }
        }
        return next;
    }

    void partBegan() {
        parts++;
    }

    void partEnded() {
        parts--;
    }

    /** Whether nothing remembers it: it is open, and everything that it held back has been taken up. */
    boolean isForgotten() {
        return parts == 0 && !isClosed();
    }
}
