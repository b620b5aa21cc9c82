package dev.postroom;

/** What a message carries: bytes as they are, or an object that the outbox's codec turns into bytes. */
public sealed interface Payload {

    /**
     * Bytes that are ready to go.
     *
     * @param contentType their media type
     * @param bytes not copied: do not change the array afterwards
     */
    @SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
    record Bytes(String contentType, byte[] bytes) implements Payload {}

    /** An object to be encoded at publish, in the caller's transaction. */
    record Encodable(Object value) implements Payload {}
}
