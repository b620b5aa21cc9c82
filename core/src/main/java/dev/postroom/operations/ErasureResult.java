package dev.postroom.operations;

/**
 * What an erasure found or removed.
 *
 * @param matched how many messages it is about
 * @param changed how many of them were erased; 0 by a dry run
 * @param places how many rows that is, and where
 */
public record ErasureResult(long matched, long changed, Places places) {
    static final ErasureResult NOTHING = new ErasureResult(0, 0, new Places(0, 0, 0, 0, 0));

    ErasureResult plus(ErasureResult other) {
        return new ErasureResult(
                matched + other.matched,
                changed + other.changed,
                new Places(
                        places.live + other.places.live,
                        places.archived + other.places.archived,
                        places.attempts + other.places.attempts,
                        places.idempotencyKeys + other.places.idempotencyKeys,
                        places.inbox + other.places.inbox));
    }

    ErasureResult withIdempotencyKeys(long keys) {
        return new ErasureResult(
                matched, changed, new Places(places.live, places.archived, places.attempts, keys, places.inbox));
    }

    /**
     * Rows by what they are.
     *
     * @param live messages that are not delivered yet, or are sent again
     * @param archived entries of the archive
     * @param attempts failed attempts with their errors
     * @param idempotencyKeys keys by which a repeated publish is recognised
     * @param inbox what consumers remember of having handled them
     */
    public record Places(long live, long archived, long attempts, long idempotencyKeys, long inbox) {}
}
