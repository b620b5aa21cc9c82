package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;

/** RabbitMQ's programs: Debian's package. */
final class RabbitMqPrograms {
    /** The one in /usr/sbin changes the user. */
    static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    static final Path CONTROL = Path.of("/usr/lib/rabbitmq/bin/rabbitmqctl");

    private RabbitMqPrograms() {}

    static void require() throws IOException {
        DebianPackage.require(SERVER, "rabbitmq-server");
    }
}
