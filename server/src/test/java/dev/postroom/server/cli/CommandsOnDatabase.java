package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.server.Cli;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database of its own with Postroom's tables, and the commands that work on it. */
abstract class CommandsOnDatabase {
    static final String NO_SUCH_ID = "01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11";

    @TempDir
    Path folder;

    private final Supplier<TestDatabase> databases;
    TestDatabase database;
    Cli cli;

    CommandsOnDatabase(Supplier<TestDatabase> databases) {
        this.databases = databases;
    }

    TestDatabase freshDatabase() {
        return databases.get();
    }

    @BeforeEach
    void migrate() {
        database = freshDatabase();
        cli = Cli.on(database, folder);
        assertThat(ok("migrate").out()).startsWith("Brought the tables from version 0 to ");
    }

    Cli.Result ok(String... args) {
        Cli.Result result = cli.run(args);
        assertThat(result.exit()).as(result.err()).isZero();
        return result;
    }

    JsonNode json(String... args) {
        String[] all = new String[args.length + 1];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--json";
        return ok(all).json();
    }

    String publish(String topic, String key) {
        return json("publish", "--topic", topic, "--key", key, "--data", "{\"n\":1}")
                .get("id")
                .asText();
    }

    String status(String id) {
        return json("show", id).get("status").asText();
    }

    static List<String> names(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
    }
}
