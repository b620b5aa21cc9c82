package dev.postroom.server.demo;

import dev.postroom.operations.StreamKey;
import java.util.UUID;

/**
 * What happened to an order, as the shop has saved it.
 *
 * @param number given by the shop's own table, in the order of happening
 * @param delayed its message was to be delivered later, so it may be overtaken
 */
record Order(long number, UUID message, Place place, boolean delayed) {

    /** Where its message belongs. */
    record Place(String tenant, String topic, String key) {
        /** All that happens to one order is one stream, whatever the topics. */
        StreamKey stream() {
            return new StreamKey(tenant, key);
        }
    }

    static final String TABLE = """
            CREATE TABLE shop_order (
                number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                message  uuid         NOT NULL,
                tenant   varchar(40)  NOT NULL,
                topic    varchar(40)  NOT NULL,
                order_key varchar(40) NOT NULL,
                delayed  boolean      NOT NULL
            )""";

    static final String INSERT =
            "INSERT INTO shop_order (message, tenant, topic, order_key, delayed) VALUES (?, ?, ?, ?, ?)";

    static final String ALL =
            "SELECT number, message, tenant, topic, order_key, delayed FROM shop_order ORDER BY number";
}
