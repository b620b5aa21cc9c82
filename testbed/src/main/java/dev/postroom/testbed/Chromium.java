package dev.postroom.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The browser for tests of pages: Debian's Chromium, which is installed when it is missing and we may. When the
 * environment variable {@value #VARIABLE} holds the path of a Chromium or Chrome, it is that one.
 */
public final class Chromium {
    static final String VARIABLE = "POSTROOM_TEST_CHROMIUM";

    private static final Path DEBIANS = Path.of("/usr/bin/chromium");

    private Chromium() {}

    /** The program, which is there. */
    public static Path program() {
        String given = System.getenv(VARIABLE);
        return given == null || given.isBlank() ? debians() : given(given.strip());
    }

    private static Path debians() {
        try {
            DebianPackage.require(DEBIANS, "chromium");
            return DEBIANS;
        } catch (IOException e) {
            throw new TestbedException(
                    "Chromium is not there (" + e.getMessage() + "): or set " + VARIABLE
                            + " to the path of a Chromium or Chrome",
                    e);
        }
    }

    static Path given(String path) {
        Path program = Path.of(path);
        if (!Files.isExecutable(program)) {
            throw new TestbedException(VARIABLE + " must be the path of a browser's program (was " + path + ")", null);
        }
        return program;
    }
}
