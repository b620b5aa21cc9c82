package dev.postroom.spi;

/**
 * Turns objects into payloads and back. Which class to decode into is always the caller's choice, never that of a
 * message. Thread-safe.
 */
public interface PayloadCodec {

    /** The media type of what {@link #encode} gives. */
    String contentType();

    /** May throw anything; the message is then rejected with that cause. */
    byte[] encode(Object value);

    /** May throw anything; the message is then rejected with that cause. */
    <T> T decode(byte[] payload, Class<T> type);
}
