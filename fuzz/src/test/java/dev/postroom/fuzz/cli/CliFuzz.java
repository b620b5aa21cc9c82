package dev.postroom.fuzz.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.server.cli.PostroomCommandLine;
import dev.postroom.server.cli.Surroundings;
import dev.postroom.server.output.KnownSecrets;
import dev.postroom.server.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Any arguments, one a line and standard input after an empty one, end with a code and an error that were meant. */
public final class CliFuzz {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** They run until they are told to stop. */
    private static final List<String> ENDLESS = List.of("serve", "demo");

    /** Now and then a database of its own, so that what earlier inputs published does not slow down the later ones. */
    private static final int FRESH_EVERY = 300;

    private final Path folder = temporaryFolder();
    private final String password = "secret-" + UUID.randomUUID();
    private Map<String, String> properties = Map.of();
    private int runs;

    private CliFuzz() {}

    /** When the first input is tried. */
    private static final class Started {
        static final CliFuzz FUZZ = new CliFuzz();
    }

    public static void tryInput(byte[] input) {
        Started.FUZZ.run(new String(input, StandardCharsets.UTF_8));
    }

    private void run(String text) {
        String[] parts = text.split("\n\n", 2);
        List<String> args = Arrays.asList(parts[0].split("\n", -1));
        boolean help = args.contains("--help") || args.contains("-h");
        if (args.stream().anyMatch(CliFuzz::isElsewhere)
                || (!help && args.stream().anyMatch(CliFuzz::isEndless))) {
            return;
        }
        if (runs++ % FRESH_EVERY == 0) {
            begin();
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = execute(args, parts.length < 2 ? "" : parts[1], out, err);
        check(args, help, exit, out.toString(), err.toString());
    }

    private static boolean isEndless(String argument) {
        return ENDLESS.contains(argument) || argument.startsWith("--watch");
    }

    /** A file outside of the folder may be any device. */
    private static boolean isElsewhere(String argument) {
        return argument.startsWith("/") || argument.contains("=/") || argument.contains("..");
    }

    private void begin() {
        Map<String, String> fresh = new HashMap<>();
        fresh.put("postroom.database.url", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        fresh.put("postroom.database.username", "sa");
        fresh.put("postroom.database.password", password);
        fresh.put("user.name", "ada");
        properties = fresh;
        for (List<String> args :
                List.of(List.of("migrate"), List.of("publish", "--topic", "orders", "--key", "1", "--data", "x"))) {
            StringWriter err = new StringWriter();
            if (execute(args, "", new StringWriter(), err) != 0) {
                throw new IllegalStateException(args + " failed: " + err);
            }
        }
    }

    private int execute(List<String> args, String input, StringWriter out, StringWriter err) {
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                0);
        return PostroomCommandLine.run(
                new Surroundings(terminal, Map.of(), properties, folder, new KnownSecrets()),
                args.toArray(String[]::new));
    }

    private void check(List<String> args, boolean help, int exit, String out, String err) {
        String all = out + err;
        if (exit < 0 || exit > 2) {
            throw new AssertionError("exit code " + exit + ": " + all);
        }
        if (err.contains("unexpected failure") && args.stream().noneMatch(arg -> arg.contains("unexpected failure"))) {
            throw new AssertionError(all);
        }
        if (err.contains("\tat ")
                && !args.contains("--verbose")
                && args.stream().noneMatch(arg -> arg.contains("\tat "))) {
            throw new AssertionError("a stack trace that nobody asked for: " + all);
        }
        if (exit != 0 && err.isBlank() && !args.contains("doctor")) {
            throw new AssertionError("exit code " + exit + " without a reason: " + out);
        }
        // Jazzer sees what texts are compared with, and may have put it in.
        if (all.contains(password) && args.stream().noneMatch(arg -> arg.contains(password))) {
            throw new AssertionError("it tells the password: " + all);
        }
        if (exit == 0 && args.contains("--json") && !help && !out.isEmpty()) {
            requireJson(args, out);
        }
    }

    private static void requireJson(List<String> args, String out) {
        // Their output is a text whatever is asked for.
        if (args.contains("completion")
                || args.contains("--version")
                || args.contains("-V")
                || out.startsWith("Usage:")) {
            return;
        }
        try {
            JSON.readTree(out);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON document: " + out, e);
        }
    }

    private static Path temporaryFolder() {
        try {
            Path folder = Files.createTempDirectory("fuzz");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
