package dev.postroom.handler;

import dev.postroom.spi.Delivery;

/** Handles messages of a type whose payload was decoded. As {@link Handler} otherwise. */
@FunctionalInterface
public interface PayloadHandler<T> {

    /** Returns when it is done with the message, for good. */
    void handle(T payload, Delivery delivery) throws Exception;
}
