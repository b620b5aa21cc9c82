package dev.postroom.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.server.cli.PostroomCommandLine;
import dev.postroom.server.cli.Surroundings;
import dev.postroom.server.output.KnownSecrets;
import dev.postroom.server.output.Terminal;
import dev.postroom.testbed.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The command line inside this JVM, with everything it reads from and prints to at hand. */
public final class Cli {
    private static final ObjectMapper MAPPER =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>(Map.of("user.name", "ada"));
    private String input = "";
    private int width;

    private Cli(Path directory) {
        this.directory = directory;
    }

    public static Cli in(Path directory) {
        return new Cli(directory);
    }

    /** With settings for a database. */
    public static Cli on(TestDatabase database, Path directory) {
        return in(directory)
                .property("postroom.database.url", database.url())
                .property("postroom.database.username", database.username())
                .property("postroom.database.password", database.password());
    }

    public Cli property(String key, String value) {
        properties.put(key, value);
        return this;
    }

    public Cli environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    public Cli input(String text) {
        input = text;
        return this;
    }

    public Cli width(int characters) {
        width = characters;
        return this;
    }

    public Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                width);
        int exit = PostroomCommandLine.run(
                new Surroundings(terminal, environment, properties, directory, new KnownSecrets()), args);
        return new Result(exit, out.toString(), err.toString());
    }

    /** What a command left behind. */
    public record Result(int exit, String out, String err) {

        /** Standard output as the one JSON document it must be. */
        public JsonNode json() {
            try {
                return MAPPER.readTree(out);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON document: " + out + err, e);
            }
        }

        public String firstErrorLine() {
            return err.lines().findFirst().orElse("");
        }
    }
}
