package dev.postroom.operations;

/**
 * What names a stream: messages with the same tenant and key are delivered in the order they were written, whatever their topics.
 *
 * @param tenant whose stream it is, empty when there is only one tenant
 */
public record StreamKey(String tenant, String key) {

    /** For people and the audit: {@code tenant=acme key=order-42}. */
    public String describe() {
        return (tenant.isEmpty() ? "" : "tenant=" + tenant + " ") + "key=" + key;
    }
}
