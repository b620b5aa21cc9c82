package dev.postroom;

import org.jspecify.annotations.Nullable;

/**
 * Where a message belongs: messages with the same tenant and key are delivered in the order they were written, whatever their
 * topics. Without a key a message is on its own and waits for nobody.
 *
 * @param tenant whose message it is, empty when there is only one tenant
 * @param topic what routes it, and nothing else
 * @param key what orders it, or null
 */
public record Stream(String tenant, String topic, @Nullable String key) {

    /** Whether messages of this tenant and key wait for one another. */
    public boolean isOrdered() {
        return key != null;
    }
}
