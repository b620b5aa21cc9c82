package dev.postroom.rabbitmq;

import dev.postroom.inbox.Reception;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the channels of one session share.
 *
 * @param warned whether a message that came too often has been named already, which is done once in a session
 */
record Consumption(
        InboxSettings settings,
        Reception reception,
        QueueTraits traits,
        BrokerVersion broker,
        Moves moves,
        AtomicBoolean warned) {

    Consumption(InboxSettings settings, Reception reception, QueueTraits traits, BrokerVersion broker, Moves moves) {
        this(settings, reception, traits, broker, moves, new AtomicBoolean());
    }
}
