package dev.postroom.server.cli;

import dev.postroom.server.output.Terminal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a command finds where it runs, so that a test can give it something else.
 *
 * @param directory where {@code postroom.yml} is looked for and relative files are
 */
public record Surroundings(
        Terminal terminal, Map<String, String> environment, Map<String, String> properties, Path directory) {

    /** Those of this process. */
    public static Surroundings ofProcess() {
        Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        return new Surroundings(Terminal.ofProcess(), System.getenv(), properties, Path.of(""));
    }

    /** Who is at the keyboard, for the audit. */
    String user() {
        String name = properties.getOrDefault("user.name", "");
        return name.isBlank() || name.equals("?") ? "unknown" : name;
    }
}
