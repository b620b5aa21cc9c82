package dev.postroom.transport.cloudevents;

/** What becomes of a payload that the outbox compressed for the table's sake when it is sent. */
public enum Compression {
    /** It is decompressed: every receiver reads it, and signatures are over what the receiver's framework hands it. */
    PLAIN,
    /** It is sent as it is stored, with {@code gzip} as the protocol's content encoding, which the receiver has to undo. */
    KEEP
}
