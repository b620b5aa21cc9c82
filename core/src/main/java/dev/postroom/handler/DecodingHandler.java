package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.PayloadCodec;

/**
 * Decodes the payload, into a class that the application names and never the message, and passes it on.
 *
 * @param chosen whether the application has said that this codec decodes
 */
record DecodingHandler<T>(Class<T> payload, PayloadHandler<T> handler, PayloadCodec codec, boolean chosen)
        implements Handler {

    DecodingHandler<T> byDefault(PayloadCodec other) {
        return chosen ? this : new DecodingHandler<>(payload, handler, other, false);
    }

    @Override
    public void handle(Delivery delivery) throws Exception {
        handler.handle(decode(delivery), delivery);
    }

    private T decode(Delivery delivery) {
        try {
            return codec.decode(delivery.payload(), payload);
        } catch (RuntimeException e) {
            throw new DeliveryFailedException(
                    FailureReason.SERIALIZATION,
                    "cannot decode the payload as " + payload.getSimpleName() + ": " + e.getMessage(),
                    e);
        }
    }
}
