package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Versions of RabbitMQ that this machine's Debian does not have. */
final class NewerRabbitMq {
    private static final NewerPrograms PROGRAMS =
            new NewerPrograms("rabbitmq", "rabbitmq-server", List.of("dash", "coreutils", "sed", "grep"));

    private final RootFolder root;

    private NewerRabbitMq(RootFolder root) {
        this.root = root;
    }

    /** The newest one that begins with these numbers, such as 4 or 4.0. */
    static NewerRabbitMq version(String wanted) throws IOException {
        return new NewerRabbitMq(PROGRAMS.version(wanted));
    }

    RabbitMqPrograms programs() throws IOException {
        String folder = "/" + root.folder().relativize(home()) + "/sbin/";
        return new RabbitMqPrograms(
                number(),
                root.command(folder + "rabbitmq-server"),
                root.command(folder + "rabbitmqctl"),
                root.command("epmd"));
    }

    /** Such as 4.0.5. */
    private String number() throws IOException {
        String name = home().getFileName().toString();
        return name.substring(name.indexOf('-') + 1);
    }

    private Path home() throws IOException {
        Path versions = root.folder().resolve("usr/lib/rabbitmq/lib");
        try (Stream<Path> all = Files.list(versions)) {
            return all.findFirst().orElseThrow(() -> new IOException("nothing is in " + versions));
        }
    }
}
