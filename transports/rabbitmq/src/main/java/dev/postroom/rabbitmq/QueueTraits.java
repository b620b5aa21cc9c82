package dev.postroom.rabbitmq;

import org.jspecify.annotations.Nullable;

/**
 * What a queue's arguments say about how long it keeps a message that is delivered again and again. A policy may say less, and
 * no consumer can see policies.
 *
 * @param type null when the broker did not say
 * @param deliveryLimit null when the arguments name none
 * @param deadLetters whether the arguments name a dead letter exchange, which keeps what exceeds the limit
 */
record QueueTraits(@Nullable Type type, @Nullable Long deliveryLimit, boolean deadLetters) {
    /**
     * As good as none. RabbitMQ 4 has -1 for that, which earlier versions take for 0: they would drop whatever comes a second
     * time.
     */
    static final int NO_LIMIT = 1_000_000_000;

    static final QueueTraits UNKNOWN = new QueueTraits(null, null, false);
    static final QueueTraits CLASSIC = new QueueTraits(Type.CLASSIC, null, false);
    static final QueueTraits KEEPING = new QueueTraits(Type.QUORUM, (long) NO_LIMIT, false);

    /** What quorum queues have since RabbitMQ 4.0. */
    private static final long DEFAULT_LIMIT = 20;
    /**
     * Half of the default limit. What was sent ahead is counted too, before anybody here has seen it, and it may take some
     * deaths until a consumer lives long enough to renew it.
     */
    private static final int RENEWED_FROM = 10;

    enum Type {
        CLASSIC,
        QUORUM,
        STREAM
    }

    /** How many deliveries in vain are too many to be an accident. */
    long notableFrom() {
        Long limit = deliveryLimit;
        return limit == null || limit < 0 ? RENEWED_FROM : Math.max(1, Math.min(RENEWED_FROM, limit / 2));
    }

    /**
     * From how many deliveries in vain on a copy of a message takes its place. Where the user has named a limit and what keeps
     * the messages that exceed it, that limit is in force.
     */
    long renewedFrom() {
        return deliveryLimit != null && deliveryLimit >= 0 && deadLetters ? Long.MAX_VALUE : notableFrom();
    }

    /** After how many deliveries in vain the broker drops a message; null when it never does, as far as can be known. */
    @Nullable
    Long dropsAfter(BrokerVersion broker) {
        if (type != Type.QUORUM || deadLetters) {
            return null;
        }
        Long limit = deliveryLimit;
        if (limit == null) {
            return broker.isAtLeast(4, 0) ? DEFAULT_LIMIT : null;
        }
        if (limit < 0) {
            return broker.isAtLeast(4, 0) ? null : 0L;
        }
        return limit < NO_LIMIT ? limit : null;
    }
}
