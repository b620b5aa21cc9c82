package dev.postroom.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs that come from Debian: a package is installed when its program is missing and we may. */
final class DebianPackage {
    private static final long INSTALL_MINUTES = 10;

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
                apt(name, "update");
                apt(name, "install", "-y", "--no-install-recommends", name);
            }
        }
        if (!Files.isExecutable(program)) {
            throw new IOException(program + " is still missing after " + name + " was installed");
        }
    }

    private static void apt(String name, String... arguments) throws IOException {
        ProcessBuilder apt = new ProcessBuilder("apt-get", "-q", "-o", "DPkg::Lock::Timeout=300");
        apt.command().addAll(List.of(arguments));
        apt.environment().put("DEBIAN_FRONTEND", "noninteractive");
        apt.environment().put("RUNLEVEL", "1"); // the package would start a server of its own otherwise
        Path log = Files.createTempFile("postroom-apt-", ".log");
        try {
            Process process =
                    apt.redirectErrorStream(true).redirectOutput(log.toFile()).start();
            if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("apt-get " + arguments[0] + " failed:\n" + Logs.tail(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + name + " was being installed", e);
        } finally {
            Files.delete(log);
        }
    }
}
