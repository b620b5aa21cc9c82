package com.example.billing;

import java.io.IOException;

/**
 * Kills a process once this JVM is gone, however it went: a shell waits for the end of its input, which comes with the end of
 * this JVM. Closed when the process has ended before, so that its id is never taken for another's.
 */
final class Leash implements AutoCloseable {
    private final Process shell;

    Leash(Process process) throws IOException {
        shell = new ProcessBuilder(
                        "sh",
                        "-c",
                        "trap '' INT TERM HUP; cat > /dev/null; kill -9 \"$1\"",
                        "leash",
                        Long.toString(process.pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
