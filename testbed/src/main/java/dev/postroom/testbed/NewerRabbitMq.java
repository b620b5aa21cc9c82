package dev.postroom.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Versions of RabbitMQ that this machine's Debian does not have: packages of another of Debian's suites, unpacked once per
 * machine and user. Only root can run them, see {@link RootFolder}.
 */
final class NewerRabbitMq {
    /** The newest first. Unstable is not among them: there, packages wait for others that they depend on. */
    private static final List<String> SUITES = List.of("testing", "stable", "oldstable");

    private static final String PACKAGE = "rabbitmq-server";
    private static final List<String> PACKAGES = List.of(PACKAGE, "dash", "coreutils", "sed", "grep");

    private final RootFolder root;

    private NewerRabbitMq(RootFolder root) {
        this.root = root;
    }

    /**
     * The newest one that begins with these numbers, such as 4 or 4.0. The first call fetches it, which takes half a minute.
     */
    static synchronized NewerRabbitMq version(String wanted) throws IOException {
        requireRootOnDebian();
        Path cache = ProgramCache.folder();
        Path ready = cache.resolve("rabbitmq-" + wanted);
        Path lock = cache.resolve("rabbitmq-" + wanted + ".lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var unused = channel.lock(); // freed with the channel
            if (!Files.isDirectory(ready)) {
                Path unfinished = cache.resolve("rabbitmq-" + wanted + ".unfinished");
                try {
                    remove(unfinished); // of a JVM that was killed meanwhile
                    Files.move(fetch(wanted, unfinished), ready, StandardCopyOption.ATOMIC_MOVE);
                } finally {
                    remove(unfinished);
                }
            }
        }
        RootFolder root = new RootFolder(ready);
        root.check();
        return new NewerRabbitMq(root);
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

    private static void requireRootOnDebian() throws IOException {
        if (!System.getProperty("user.name").equals("root")) {
            throw new IOException("only root can run programs of another Debian suite");
        }
        if (!Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
            throw new IOException("it comes from Debian, and there is no apt-get");
        }
    }

    private static Path fetch(String wanted, Path folder) throws IOException {
        List<String> mirrors = new AptSources(Path.of("/etc/apt"), codename()).mirrors();
        List<String> found = new ArrayList<>();
        for (String suite : SUITES) {
            for (String mirror : mirrors) {
                try {
                    Path place = folder.resolve(Integer.toString(found.size()));
                    DebianSuite packages = DebianSuite.read(mirror, suite, place.resolve("apt"));
                    String version = packages.version(PACKAGE);
                    if (version.startsWith(wanted + ".")) {
                        Path root = Files.createDirectory(place.resolve("root"));
                        packages.unpack(PACKAGES, root);
                        new RootFolder(root).complete();
                        return root;
                    }
                    found.add(suite + " has " + (version.isEmpty() ? "none" : version));
                } catch (IOException e) {
                    found.add(suite + " cannot be used from " + mirror + ": " + e);
                }
            }
        }
        throw new IOException("none of Debian's suites has RabbitMQ " + wanted
                + (mirrors.isEmpty() ? ": apt's sources name no mirror" : ":\n" + String.join("\n", found)));
    }

    /** Of this machine's Debian. */
    private static String codename() throws IOException {
        Properties release = new Properties();
        try (var in = Files.newInputStream(Path.of("/etc/os-release"))) {
            release.load(in);
        }
        return release.getProperty("VERSION_CODENAME", "").replace("\"", "");
    }

    private static void remove(Path folder) throws IOException {
        Command.run("rm", new ProcessBuilder("rm", "-rf", folder.toString()), Duration.ofMinutes(1));
    }
}
