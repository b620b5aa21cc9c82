package dev.postroom.operations;

import dev.postroom.PostroomException;

/**
 * Many messages at once.
 *
 * @param limit how many may be changed, oldest first; 1 to {@value #MOST}
 * @param dryRun only count
 * @param everything the caller means it when the filter has no condition
 */
public record Bulk(MessageFilter filter, int limit, boolean dryRun, boolean everything) {
    public static final int DEFAULT_LIMIT = 1_000;
    public static final int MOST = 100_000;

    public Bulk {
        checkLimit(limit);
        if (filter.isEverything() && !everything) {
            throw new PostroomException(
                    "this would change every message: narrow it by status, tenant, topic, key, type,"
                            + " reason, age or text, or say that everything is meant (--all, or \"everything\": true)");
        }
    }

    static void checkLimit(int limit) {
        if (limit < 1 || limit > MOST) {
            throw new PostroomException("limit must be 1 to " + MOST + " (was " + limit
                    + "): for more, repeat the action until it changes nothing");
        }
    }

    /** With the default limit. */
    public static Bulk of(MessageFilter filter) {
        return new Bulk(filter, DEFAULT_LIMIT, false, false);
    }

    /** Every message in the live table, with the default limit. */
    public static Bulk ofEverything() {
        return new Bulk(MessageFilter.ALL, DEFAULT_LIMIT, false, true);
    }

    public Bulk limit(int value) {
        return new Bulk(filter, value, dryRun, everything);
    }

    public Bulk dryRun(boolean value) {
        return new Bulk(filter, limit, value, everything);
    }
}
