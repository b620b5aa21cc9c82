package dev.postroom.handler;

import dev.postroom.spi.Delivery;

/** Handles messages of a type. May be called from several threads at once. */
@FunctionalInterface
public interface Handler {

    /**
     * Returns when it is done with the message, for good. May see a message more than once, so it must be idempotent.
     *
     * @param delivery its payload is never compressed here
     * @throws DeliveryFailedException to say how it failed
     * @throws Exception anything else is a {@link dev.postroom.FailureReason#HANDLER_EXCEPTION}
     */
    void handle(Delivery delivery) throws Exception;
}
