package dev.postroom.testbed;

/**
 * What the system property {@value RabbitMqBroker#VERSION} says.
 *
 * @param programs {@link RabbitMqPrograms#DEBIANS_OWN}, or the first numbers of another version
 * @param quorum whether tests get a virtual host whose queues are quorum queues unless somebody says otherwise
 */
record RabbitMqVersion(String programs, boolean quorum) {
    private static final String QUORUM = "-quorum";

    /** Such as {@code debian}, {@code 4} or {@code 4.0-quorum}. */
    static RabbitMqVersion parse(String text) {
        return text.endsWith(QUORUM)
                ? new RabbitMqVersion(text.substring(0, text.length() - QUORUM.length()), true)
                : new RabbitMqVersion(text, false);
    }

    /** The path of the virtual host in a URI. */
    String path() {
        return quorum ? "/quorum" : "";
    }
}
