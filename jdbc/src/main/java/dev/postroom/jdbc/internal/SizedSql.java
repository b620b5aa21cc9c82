package dev.postroom.jdbc.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * A statement whose text depends on how many values it takes. Texts are kept, so that the driver's and the database's
 * statement caches meet them again; sizes are bounded by whoever asks. Thread-safe.
 */
public final class SizedSql {
    private final SqlNames names;
    private final IntFunction<String> text;
    private final Map<Integer, String> texts = new ConcurrentHashMap<>();

    public SizedSql(SqlNames names, IntFunction<String> text) {
        this.names = names;
        this.text = text;
    }

    /** The statement for exactly this many values. */
    public String of(int size) {
        return texts.computeIfAbsent(size, n -> names.in(text.apply(n)));
    }

    /** The statement for this many values or the next power of two; fill up with repetitions, see {@link Values}. */
    public String atLeast(int size) {
        return of(padded(size));
    }

    /** The next power of two. */
    public static int padded(int size) {
        return size <= 1 ? 1 : Integer.highestOneBit(size - 1) << 1;
    }
}
