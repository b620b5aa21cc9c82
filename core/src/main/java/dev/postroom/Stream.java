package dev.postroom;

import org.jspecify.annotations.Nullable;

/**
 * The stream a message belongs to: messages with the same tenant, topic and key are delivered in the order they were
 * written. Without a key a message is on its own and waits for nobody.
 *
 * @param tenant whose message it is, empty when there is only one tenant
 * @param topic what routes it
 * @param key what orders it, or null
 */
public record Stream(String tenant, String topic, @Nullable String key) {

    /** Whether messages of this stream wait for one another. */
    public boolean isOrdered() {
        return key != null;
    }
}
