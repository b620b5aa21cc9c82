package dev.postroom.spi;

/**
 * What a row may hold at most to be loaded. Another writer's row above them comes without that part and with a defect, so
 * that it costs no more than a small one.
 *
 * @param payloadBytes of the payload as stored
 * @param headers how many headers
 * @param headerBytes all of their names and values together, as UTF-8
 */
public record RowLimits(int payloadBytes, int headers, int headerBytes) {
    /** A byte of a name or value takes up to six in JSON, where each character may be written as its number. */
    private static final long ESCAPED = 6;

    /** Quotes, colon, comma, and a space behind each of the last two. */
    private static final long AROUND = 8;

    /** Headers without a limit. */
    public static RowLimits ofPayload(int bytes) {
        return new RowLimits(bytes, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** How many bytes headers within the limits may take as stored, in JSON; above that they are not even loaded. */
    public long storedHeaderBytes() {
        return ESCAPED * headerBytes + AROUND * headers + 2;
    }
}
