package dev.postroom.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The packages of one of Debian's suites, such as testing, on a mirror. Nothing of them is installed: they are unpacked. */
final class DebianSuite {
    private static final Path KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Path folder;

    private DebianSuite(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads what a suite has.
     *
     * @param folder where apt keeps that, apart from what it knows of this machine
     */
    static DebianSuite read(String mirror, String name, Path folder) throws IOException {
        Files.createDirectories(folder.resolve("state/lists/partial"));
        Files.createDirectories(folder.resolve("cache/archives/partial"));
        write(folder.resolve("status"), "");
        write(folder.resolve("sources.list"), "deb [signed-by=" + KEYS + "] " + mirror + " " + name + " main\n");
        write(folder.resolve("apt.conf"), """
                Dir::Etc::sourcelist "FOLDER/sources.list";
                Dir::Etc::sourceparts "/dev/null";
                Dir::State "FOLDER/state";
                Dir::State::status "FOLDER/status";
                Dir::Cache "FOLDER/cache";
                APT::Sandbox::User "root";
                APT::Update::Error-Mode "any";
                """.replace("FOLDER", folder.toString()));
        DebianSuite suite = new DebianSuite(folder);
        suite.run("apt-get", "update");
        return suite;
    }

    /** Such as 4.0.5-6; empty when it has no such package. */
    String version(String packageName) throws IOException {
        return run("apt-cache", "policy", packageName)
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("Candidate: "))
                .map(line -> line.substring("Candidate: ".length()))
                .filter(version -> !version.equals("(none)"))
                .findFirst()
                .orElse("");
    }

    /** Into a folder that can be a root directory then, with all that the packages depend on. */
    void unpack(List<String> packages, Path root) throws IOException {
        ProcessBuilder download = apt("apt-get", "install", "-y", "--download-only", "--no-install-recommends");
        download.command().addAll(packages);
        Command.run("apt-get install", download, LIMIT);
        try (Stream<Path> archives = Files.list(folder.resolve("cache/archives"))) {
            for (Path archive :
                    archives.filter(file -> file.toString().endsWith(".deb")).toList()) {
                Command.run(
                        "dpkg-deb",
                        new ProcessBuilder("dpkg-deb", "--extract", archive.toString(), root.toString()),
                        LIMIT);
            }
        }
    }

    private String run(String... command) throws IOException {
        return Command.run(command[0] + " " + command[1], apt(command), LIMIT);
    }

    private ProcessBuilder apt(String... command) {
        ProcessBuilder apt = new ProcessBuilder(command);
        apt.environment().put("APT_CONFIG", folder.resolve("apt.conf").toString());
        apt.environment().put("LC_ALL", "C.UTF-8");
        return apt;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
