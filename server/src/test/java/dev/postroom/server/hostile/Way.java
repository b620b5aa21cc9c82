package dev.postroom.server.hostile;

import java.util.Locale;

/** A way to a destination, which takes all topics that begin with its name. */
enum Way {
    HTTP,
    RABBITMQ,
    KAFKA,
    HANDLERS;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
