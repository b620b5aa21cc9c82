package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import org.jspecify.annotations.Nullable;

/** What orders messages: they are one stream if they have tenant and key in common, whatever their topics. */
public record KeyedStream(String tenant, @Nullable String key) {

    /** That of a message. */
    public static KeyedStream of(Stream stream) {
        return new KeyedStream(stream.tenant(), stream.key());
    }
}
