package dev.postroom.server.demo;

import java.util.UUID;

/**
 * An order as the shop has saved it.
 *
 * @param number given by the shop's own table, in the order of placing
 * @param delayed its message was to be delivered later, so it may be overtaken
 */
record Order(long number, UUID message, Place place, boolean delayed) {

    /** The stream of its message. */
    record Place(String tenant, String topic, String customer) {}

    static final String TABLE = """
            CREATE TABLE shop_order (
                number   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                message  uuid         NOT NULL,
                tenant   varchar(40)  NOT NULL,
                topic    varchar(40)  NOT NULL,
                customer varchar(40)  NOT NULL,
                delayed  boolean      NOT NULL
            )""";

    static final String INSERT =
            "INSERT INTO shop_order (message, tenant, topic, customer, delayed) VALUES (?, ?, ?, ?, ?)";

    static final String ALL =
            "SELECT number, message, tenant, topic, customer, delayed FROM shop_order ORDER BY number";
}
