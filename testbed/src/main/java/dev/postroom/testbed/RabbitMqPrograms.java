package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * RabbitMQ's programs, as commands to which arguments can be added.
 *
 * @param version such as 4.0.5, or what {@link #DEBIANS_OWN} means
 */
record RabbitMqPrograms(String version, List<String> server, List<String> control, List<String> nameService) {

    /** The version of Debian's package: the machine's own, 3.10 in Debian 12. */
    static final String DEBIANS_OWN = "debian";

    /** The one in /usr/sbin changes the user. */
    private static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    /** @param version {@link #DEBIANS_OWN}, or the first numbers of another one, such as 4 */
    static RabbitMqPrograms of(String version) throws IOException {
        if (!version.equals(DEBIANS_OWN)) {
            return NewerRabbitMq.version(version).programs();
        }
        DebianPackage.require(SERVER, "rabbitmq-server");
        return new RabbitMqPrograms(
                version,
                List.of(SERVER.toString()),
                List.of(SERVER.resolveSibling("rabbitmqctl").toString()),
                List.of("epmd"));
    }
}
