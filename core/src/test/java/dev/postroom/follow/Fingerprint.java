package dev.postroom.follow;

/** 64 bits that tell states apart. */
final class Fingerprint {
    private long value = 0x9e3779b97f4a7c15L;
    private long unordered;

    Fingerprint add(long part) {
        value = (value ^ mix(part)) * 0xff51afd7ed558ccdL;
        value ^= value >>> 29;
        return this;
    }

    /** Parts whose order tells nothing. */
    void addUnordered(long part) {
        unordered += mix(part + 0x1234567L);
    }

    /** The same in every run, which an enum's own hash code is not. */
    static long code(Enum<?> constant) {
        return constant.name().hashCode();
    }

    long value() {
        return mix(value + unordered);
    }

    private static long mix(long x) {
        long y = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
        return (y ^ y >>> 33) + 0x632be59bd9b4e019L;
    }
}
