package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder with programs and libraries of another Debian than this machine's. A program from there takes the folder for the
 * root directory, with the machine's processes, devices and temporary files in it, those by the same paths as outside.
 *
 * <p>All mounts are in a namespace of the program's own: they end with its last process, and nobody else sees them.
 */
record RootFolder(Path folder) {

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private static final String SCRIPT = """
            set -e
            root=$1 temporary=$2 here=$(pwd)
            shift 2
            mount --rbind /proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount --bind "$temporary" "$root$temporary"
            exec chroot "$root" /usr/bin/env --chdir="$here" PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"
            """;

    /** Adds to unpacked packages what they expect to be there. */
    void complete() throws IOException {
        for (String name : List.of("bin", "sbin", "lib", "lib64")) {
            Files.createSymbolicLink(folder.resolve(name), Path.of("usr", name));
        }
        for (String name : List.of("proc", "dev", TEMPORARY.toString().substring(1))) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.writeString(folder.resolve("etc/hosts"), "127.0.0.1 localhost\n");
        Files.writeString(folder.resolve("etc/passwd"), "root:x:0:0::/root:/bin/sh\n");
    }

    /** Runs a program there; it keeps the process id. Its working directory must be among the temporary files. */
    List<String> command(String... program) {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
        command.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString(), TEMPORARY.toString()));
        command.addAll(List.of(program));
        return command;
    }

    /** Fails when no program can be run there: not everybody who is root may mount. */
    void check() throws IOException {
        Command.run(
                "a program in " + folder,
                new ProcessBuilder(command("true")).directory(TEMPORARY.toFile()),
                Duration.ofSeconds(30));
    }
}
