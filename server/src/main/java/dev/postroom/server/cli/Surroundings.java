package dev.postroom.server.cli;

import dev.postroom.server.output.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
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

    /**
     * Whether arguments were lost on the way: without a UTF-8 locale Java gets everything beyond ASCII as U+FFFD, and a
     * payload would be written broken.
     */
    boolean garbled(String... args) {
        String encoding = properties.getOrDefault("sun.jnu.encoding", "UTF-8");
        return !encoding.equalsIgnoreCase("UTF-8")
                && Arrays.stream(args).anyMatch(argument -> argument.indexOf('\uFFFD') >= 0);
    }
}
