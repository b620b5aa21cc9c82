package dev.postroom.follow;

import org.jspecify.annotations.Nullable;

/** What the routes say about topics. */
interface Topics {

    Topic topic(String name);

    /**
     * Bits of the destinations of a message.
     *
     * @param onlyDestination where its replay goes, or null
     */
    long route(Topic topic, @Nullable String onlyDestination);

    /** Every row was looked at since this was last told. */
    default void sweptAll() {}
}
