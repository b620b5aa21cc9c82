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

    private static final String NOBODY = "nobody";

    /** The same on every Debian, so that files of this user are so outside, too. */
    private static final int NOBODYS_ID = 65534;

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private static final String SCRIPT = """
            set -e
            root=$1 temporary=$2 user=$3 here=$(pwd)
            shift 3
            mount --rbind /proc "$root/proc"
            mount --rbind /dev "$root/dev"
            mount --bind "$temporary" "$root$temporary"
            exec chroot --userspec="$user" "$root" /usr/bin/env --chdir="$here" PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 "$@"
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
        Files.writeString(
                folder.resolve("etc/passwd"),
                "root:x:0:0::/root:/bin/sh\n" + NOBODY + ":x:" + NOBODYS_ID + ":" + NOBODYS_ID + "::/tmp:/bin/sh\n");
    }

    /** Runs a program there; it keeps the process id. Its working directory must be among the temporary files. */
    List<String> command(String... program) {
        return command(0, List.of(program));
    }

    private List<String> command(int user, List<String> program) {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private"));
        command.addAll(List.of("sh", "-c", SCRIPT, "sh", folder.toString(), TEMPORARY.toString(), user + ":" + user));
        command.addAll(program);
        return command;
    }

    /** For servers that refuse to run as root. */
    RunsAs nobody() {
        return new RunsAs() {
            @Override
            public List<String> command(List<String> program) {
                return RootFolder.this.command(NOBODYS_ID, program);
            }

            @Override
            public void own(Path file) throws IOException {
                Files.setOwner(
                        file,
                        file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(NOBODY));
            }
        };
    }

    /** Fails when no program can be run there: not everybody who is root may mount. */
    void check() throws IOException {
        Command.run(
                "a program in " + folder,
                new ProcessBuilder(command("true")).directory(TEMPORARY.toFile()),
                Duration.ofSeconds(30));
    }
}
