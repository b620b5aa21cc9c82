package dev.postroom.server.cli;

import dev.postroom.server.output.KnownSecrets;
import dev.postroom.server.output.Terminal;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What a command finds where it runs, so that a test can give it something else.
 *
 * @param directory where {@code postroom.yml} is looked for and relative files are
 * @param secrets what has to be hidden, as far as it is known yet
 */
public record Surroundings(
        Terminal terminal,
        Map<String, String> environment,
        Map<String, String> properties,
        Path directory,
        KnownSecrets secrets) {
    /** The property, no one else's, in which the name of this machine is. */
    static final String HOST = "dev.postroom.host";

    private static final int LONGEST_USER = 128;

    /** Nothing leaves through standard error that must not be told. */
    public Surroundings {
        terminal = new Terminal(terminal.in(), terminal.out(), secrets.guard(terminal.err()), terminal.width());
    }

    /** Those of this process. */
    public static Surroundings ofProcess() {
        Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach(name -> properties.put(name, System.getProperty(name)));
        properties.put(HOST, host());
        return new Surroundings(Terminal.ofProcess(), System.getenv(), properties, Path.of(""), new KnownSecrets());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /**
     * Who is at the keyboard and where, for the audit. Only what this machine says, which may say anything: the audit has the user that
     * the database let in beside it.
     */
    String user() {
        String name = properties.getOrDefault("user.name", "");
        String user = name.isBlank() || name.equals("?") ? "unknown" : name;
        String host = properties.getOrDefault(HOST, "");
        String both = host.isBlank() ? user : user + "@" + host;
        return both.length() <= LONGEST_USER ? both : both.substring(0, LONGEST_USER);
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
