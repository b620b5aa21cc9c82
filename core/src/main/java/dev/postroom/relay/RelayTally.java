package dev.postroom.relay;

/** What a relay did since its last summary. For one thread. */
final class RelayTally {
    long fetched;
    long delivered;
    long failed;
    long dead;
    long duplicates;
    long overtaken;
    long refused;
    long troubles;

    boolean isEmpty() {
        return fetched + delivered + failed + dead + duplicates + overtaken + refused + troubles == 0;
    }

    @Override
    public String toString() {
        return "fetched=" + fetched + " delivered=" + delivered + " failed=" + failed + " dead=" + dead + " duplicates="
                + duplicates + " overtaken=" + overtaken + " refused=" + refused + " databaseErrors=" + troubles;
    }
}
