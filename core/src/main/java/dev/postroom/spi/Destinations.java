package dev.postroom.spi;

import java.util.Map;

/** Which bit of a row's {@code completed} stands for which destination. A bit is given out once and never changes. */
public record Destinations(Map<String, Integer> bits) {
    public static final int MOST = 63;

    public Destinations {
        bits = Map.copyOf(bits);
    }

    /** The mask of one destination; it must be one of those asked for. */
    public long mask(String name) {
        Integer bit = bits.get(name);
        if (bit == null) {
            throw new IllegalArgumentException("destination '" + name + "' was not registered with the store");
        }
        return 1L << bit;
    }
}
