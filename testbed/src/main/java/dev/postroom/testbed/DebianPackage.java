package dev.postroom.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** Programs that come from Debian: a package is installed when its program is missing and we may. */
final class DebianPackage {
    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(10);

    private DebianPackage() {}

    /** Tests of several modules may come here at once. */
    static synchronized void require(Path program, String name) throws IOException {
        if (Files.isExecutable(program)) {
            return;
        }
        boolean canInstall =
                System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/bin/apt-get"));
        if (!canInstall) {
            throw new IOException(program + " is missing: install Debian's package " + name
                    + " (only root on Debian can do that by itself)");
        }
        Path lock = Path.of(System.getProperty("java.io.tmpdir"), "postroom-apt.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // apt waits for its own lock when it installs, but not when it updates its lists. Freed with the channel.
            var unused = channel.lock();
            if (!Files.isExecutable(program)) {
                apt("update");
                apt("install", "-y", "--no-install-recommends", name);
            }
        }
        if (!Files.isExecutable(program)) {
            throw new IOException(program + " is still missing after " + name + " was installed");
        }
    }

    private static void apt(String... arguments) throws IOException {
        ProcessBuilder apt = new ProcessBuilder("apt-get", "-q", "-o", "DPkg::Lock::Timeout=300");
        apt.command().addAll(List.of(arguments));
        apt.environment().put("DEBIAN_FRONTEND", "noninteractive");
        apt.environment().put("RUNLEVEL", "1"); // the package would start a server of its own otherwise
        Command.run("apt-get " + arguments[0], apt, INSTALL_LIMIT);
    }
}
