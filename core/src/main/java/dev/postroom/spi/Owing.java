package dev.postroom.spi;

import org.jspecify.annotations.Nullable;

/**
 * Where messages of a topic go by the routes in force, as bits of {@link Destinations}. A reader asks it to say per destination what
 * holds a row. Saying too many bits delays messages and is safe; one too few breaks their order. So what is not known goes everywhere: {@code -1}.
 */
@FunctionalInterface
public interface Owing {
    /** Without routes: everything may go anywhere. */
    Owing EVERYWHERE = (topic, onlyDestination) -> -1;

    /**
     * The destinations of a message, whether it has reached them or not.
     *
     * @param onlyDestination the destination of a replay, or null for the route of the topic
     */
    long destinations(String topic, @Nullable String onlyDestination);
}
