package dev.postroom.transport.cloudevents;

import dev.postroom.PostroomException;
import dev.postroom.handler.PlainPayload;
import dev.postroom.spi.Delivery;

/** How events look to whoever receives them. Immutable. */
public record WireFormat(ContentMode mode, Compression compression) {
    /** Binary mode, decompressed. */
    public static final WireFormat DEFAULT = new WireFormat(ContentMode.BINARY, Compression.PLAIN);

    public WireFormat {
        if (mode == ContentMode.STRUCTURED && compression == Compression.KEEP) {
            throw new PostroomException(
                    "compression = keep does not go with content-mode = structured, where the payload"
                            + " is inside a JSON document that cannot say it is compressed: remove one of the two");
        }
    }

    /** The same, in this mode. */
    public WireFormat mode(ContentMode newMode) {
        return new WireFormat(newMode, compression);
    }

    /** The same, with compressed payloads sent so. */
    public WireFormat compression(Compression newCompression) {
        return new WireFormat(mode, newCompression);
    }

    /** Whether this message needs more memory to be sent than it takes already. */
    public boolean decompresses(Delivery delivery) {
        return compression == Compression.PLAIN && delivery.content().contentEncoding() != null;
    }

    /**
     * The message with its payload as it is sent. May take long for a large one: not for the relay's thread.
     *
     * @throws dev.postroom.handler.DeliveryFailedException with a permanent reason, when it cannot be decompressed
     */
    public Delivery apply(Delivery delivery) {
        return compression == Compression.PLAIN ? PlainPayload.of(delivery) : delivery;
    }
}
