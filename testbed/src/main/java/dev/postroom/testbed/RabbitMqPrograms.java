package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** RabbitMQ's programs: Debian's package, which is installed when it is missing and we may. */
final class RabbitMqPrograms {
    private static final String PACKAGE = "rabbitmq-server";
    private static final long INSTALL_MINUTES = 10;

    /** The one in /usr/sbin changes the user. */
    static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");

    static final Path CONTROL = Path.of("/usr/lib/rabbitmq/bin/rabbitmqctl");

    private RabbitMqPrograms() {}

    /** Tests of several modules may come here at once; apt has a lock of its own and waits for it. */
    static void require() throws IOException {
        if (Files.isExecutable(SERVER)) {
            return;
        }
        boolean canInstall =
                System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/bin/apt-get"));
        if (!canInstall) {
            throw new IOException(SERVER + " is missing: install Debian's package " + PACKAGE
                    + " (only root on Debian can do that by itself)");
        }
        apt("update");
        apt("install", "-y", "--no-install-recommends", PACKAGE);
        if (!Files.isExecutable(SERVER)) {
            throw new IOException(SERVER + " is still missing after " + PACKAGE + " was installed");
        }
    }

    private static void apt(String... arguments) throws IOException {
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
            throw new IOException("interrupted while " + PACKAGE + " was being installed", e);
        } finally {
            Files.delete(log);
        }
    }
}
