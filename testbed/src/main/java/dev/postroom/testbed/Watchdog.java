package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Ends a server once this JVM is gone, however it went.
 *
 * <p>A shutdown hook does not run in a JVM that is killed, and a server left behind holds memory and ports. So a shell
 * waits for the end of its standard input, which the operating system closes with this JVM, then signals the server by
 * its process id and removes its folder. Ctrl-C reaches the whole process group, hence the ignored signals.
 */
final class Watchdog {

    private static final String SCRIPT = """
            trap '' INT TERM HUP
            cat > /dev/null
            kill -"$1" "$2" 2> /dev/null
            n=0
            while [ "$n" -lt 100 ] && kill -0 "$2" 2> /dev/null && ! grep -q '^State:.Z' "/proc/$2/status"; do
              n=$((n + 1))
              sleep 0.1
            done
            kill -KILL "$2" 2> /dev/null
            rm -rf "$3"
            """;

    private Watchdog() {}

    /**
     * Watches over a process: {@code signal} asks it to stop, after ten seconds it is killed. The watching process is
     * returned; who ends the server earlier must end that too, before the id belongs to somebody else.
     */
    static Process endWithThisJvm(long pid, String signal, Path folder) throws IOException {
        return new ProcessBuilder("sh", "-c", SCRIPT, "watchdog", signal, Long.toString(pid), folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
