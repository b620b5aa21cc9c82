package dev.postroom.spi;

/**
 * What one answer may weigh.
 *
 * @param row what a single row may hold to be loaded at all
 * @param bytes of payloads, headers and names together. The first row of an answer comes whatever it weighs, so an answer never
 *     exceeds the larger of this and one row within {@code row}
 */
public record ReadBounds(RowLimits row, long bytes) {
    public ReadBounds {
        if (bytes < 1) {
            throw new IllegalArgumentException("an answer must be allowed at least 1 byte (was " + bytes + ")");
        }
    }
}
