package dev.postroom.follow;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Values by a 64-bit id, without an object for each entry. Open addressing with linear probing, as in {@link StreamSet}. */
final class LongMap<V> {
    private static final int SMALLEST = 8;

    private long[] keys = new long[SMALLEST];

    @Nullable
    private Object[] values = new Object[SMALLEST];

    private int size;

    int size() {
        return size;
    }

    @SuppressWarnings("unchecked")
    @Nullable
    V get(long key) {
        return size == 0 ? null : (V) values[slotOf(key)];
    }

    /** There must be none with this key. */
    void put(long key, V value) {
        int slot = slotOf(key);
        keys[slot] = key;
        values[slot] = value;
        size++;
        if (size * 3L > keys.length * 2L) {
            resize(keys.length * 2);
        }
    }

    void remove(long key) {
        int gap = slotOf(key);
        if (values[gap] == null) {
            return;
        }
        values[gap] = null;
        size--;
        int mask = keys.length - 1;
        for (int next = (gap + 1) & mask; values[next] != null; next = (next + 1) & mask) {
            int distance = (next - home(keys[next])) & mask;
            if (distance >= ((next - gap) & mask)) {
                keys[gap] = keys[next];
                values[gap] = values[next];
                values[next] = null;
                gap = next;
            }
        }
        if (keys.length > SMALLEST && size * 8L < keys.length) {
            resize(keys.length / 2);
        }
    }

    @SuppressWarnings("unchecked")
    void forEach(Consumer<? super V> action) {
        for (Object value : values.clone()) {
            if (value != null) {
                action.accept((V) value);
            }
        }
    }

    private int slotOf(long key) {
        int slot = home(key);
        while (values[slot] != null && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private int home(long key) {
        long mixed = key * 0x9e3779b97f4a7c15L;
        return (int) (mixed ^ (mixed >>> 32)) & (keys.length - 1);
    }

    private void resize(int length) {
        long[] oldKeys = keys;
        Object[] oldValues = values;
        keys = new long[length];
        values = new Object[length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != null) {
                int slot = slotOf(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
