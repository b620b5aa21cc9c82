package dev.postroom.transport.cloudevents;

/** How an event is put on the wire. */
public enum ContentMode {
    /** Attributes as the protocol's headers, the payload as the body. */
    BINARY,
    /** Attributes and payload together as JSON in the body, see {@link JsonEnvelope}. */
    STRUCTURED
}
