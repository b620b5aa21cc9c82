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

/**
 * A server in a version that this machine's Debian does not have: packages of another of Debian's suites, unpacked once per
 * machine and user. Only root can run them, see {@link RootFolder}.
 *
 * @param server how the folder and errors call it
 * @param main the package whose version counts
 * @param needed what its programs and scripts call besides
 */
record NewerPrograms(String server, String main, List<String> needed) {
    /** The newest first. Unstable is not among them: there, packages wait for others that they depend on. */
    private static final List<String> SUITES = List.of("testing", "stable", "oldstable");

    /** The newest whose version begins with these numbers, such as 4 or 4.0. The first call fetches it, which takes half a minute. */
    RootFolder version(String wanted) throws IOException {
        synchronized (NewerPrograms.class) {
            requireRootOnDebian();
            Path cache = ProgramCache.folder();
            Path ready = cache.resolve(server + "-" + wanted);
            Path lock = cache.resolve(server + "-" + wanted + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                var unused = channel.lock(); // freed with the channel
                if (!Files.isDirectory(ready)) {
                    Path unfinished = cache.resolve(server + "-" + wanted + ".unfinished");
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
            return root;
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

    private Path fetch(String wanted, Path folder) throws IOException {
        List<String> mirrors = new AptSources(Path.of("/etc/apt"), codename()).mirrors();
        List<String> packages = new ArrayList<>(needed);
        packages.add(main);
        List<String> found = new ArrayList<>();
        for (String name : SUITES) {
            for (String mirror : mirrors) {
                try {
                    Path place = folder.resolve(Integer.toString(found.size()));
                    DebianSuite suite = DebianSuite.read(mirror, name, place.resolve("apt"));
                    String version = suite.version(main);
                    if (version.startsWith(wanted + ".")) {
                        Path root = Files.createDirectory(place.resolve("root"));
                        suite.unpack(packages, root);
                        new RootFolder(root).complete();
                        return root;
                    }
                    found.add(name + " has " + (version.isEmpty() ? "none" : version));
                } catch (IOException e) {
                    found.add(name + " cannot be used from " + mirror + ": " + e);
                }
            }
        }
        throw new IOException("none of Debian's suites has " + server + " " + wanted
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
