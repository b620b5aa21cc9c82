package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.server.Cli;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables are made, and messages are written. */
@Tag("R54")
abstract class PublishContract extends CommandsOnDatabase {

    PublishContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    @Nested
    class Migrate {
        @Test
        @Tag("R58")
        void a_second_time_changes_nothing() {
            assertThat(ok("migrate").out()).startsWith("The tables are up to date");
            assertThat(json("migrate").get("applied")).isEmpty();
        }

        @Test
        @Tag("R58")
        void prints_the_sql_for_a_dba_and_changes_nothing() {
            Cli fresh = Cli.on(freshDatabase(), folder);
            Cli.Result printed = fresh.run("migrate", "--print");
            assertThat(printed.exit()).as(printed.err()).isZero();
            assertThat(printed.out()).contains("CREATE TABLE").contains("postroom_message");
            assertThat(fresh.run("migrate", "--print", "--json")
                            .json()
                            .get("sql")
                            .asText())
                    .contains("CREATE TABLE");
            assertThat(fresh.run("stats").exit()).isEqualTo(1);
        }

        @Test
        void prints_what_a_role_needs() {
            assertThat(ok("migrate", "--grants", "relay", "--grantee", "courier")
                            .out())
                    .containsIgnoringCase("GRANT")
                    .contains("courier");
            Cli.Result unknown = cli.run("migrate", "--grants", "king", "--grantee", "courier");
            assertThat(unknown.exit()).isEqualTo(1);
            assertThat(unknown.firstErrorLine()).contains("use writer, consumer, relay or migrator");
        }
    }

    @Nested
    class Publish {
        @Test
        void writes_everything_it_is_given() {
            JsonNode published = json(
                    "publish",
                    "--topic",
                    "orders.created",
                    "--key",
                    "42",
                    "--type",
                    "OrderCreated",
                    "--tenant",
                    "acme",
                    "--header",
                    "a=1",
                    "--header",
                    "b=x=y",
                    "--source",
                    "/shop",
                    "--data",
                    "{\"buyer\":\"Zoë\"}");
            assertThat(names(published)).containsExactly("id", "alreadyExisted");
            assertThat(published.get("alreadyExisted").asBoolean()).isFalse();
            JsonNode message = json("show", published.get("id").asText());
            assertThat(message.get("topic").asText()).isEqualTo("orders.created");
            assertThat(message.get("key").asText()).isEqualTo("42");
            assertThat(message.get("type").asText()).isEqualTo("OrderCreated");
            assertThat(message.get("tenant").asText()).isEqualTo("acme");
            assertThat(message.get("headers").toString()).isEqualTo("{\"a\":\"1\",\"b\":\"x=y\"}");
            assertThat(message.get("source").asText()).isEqualTo("/shop");
            assertThat(message.get("contentType").asText()).isEqualTo("application/json");
            assertThat(message.get("payload").asText()).isEqualTo("{\"buyer\":\"Zoë\"}");
        }

        @Test
        @Tag("R5")
        void a_second_time_with_the_same_key_changes_nothing() {
            String[] args = {"publish", "--topic", "t", "--idempotency-key", "k", "--data", "x"};
            String first = json(args).get("id").asText();
            JsonNode second = json(args);
            assertThat(second.get("alreadyExisted").asBoolean()).isTrue();
            assertThat(second.get("id").asText()).isEqualTo(first);
            assertThat(ok(args).out()).contains(first, "nothing was written");
            assertThat(json("list")).hasSize(1);
        }

        @Test
        @Tag("R7")
        void later_makes_it_scheduled() {
            String id = ok("publish", "--topic", "t", "--deliver-after", "1h", "--data", "x")
                    .out()
                    .strip();
            assertThat(status(id)).isEqualTo("scheduled");
        }

        @Test
        void takes_the_bytes_of_a_file_as_they_are() throws IOException {
            Files.write(folder.resolve("image.bin"), new byte[] {(byte) 0xff, 0, 1});
            String id = ok("publish", "--topic", "t", "--data-file", "image.bin")
                    .out()
                    .strip();
            JsonNode message = json("show", id);
            assertThat(message.get("payload").get("base64").asText()).isEqualTo("/wAB");
            assertThat(message.get("contentType").asText()).isEqualTo("application/octet-stream");
            assertThat(ok("show", id).out()).contains("not text: --json shows it");
        }

        @Test
        void takes_standard_input_and_leaves_a_text_starting_with_at_alone() {
            String piped = cli.input("hello")
                    .run("publish", "--topic", "t", "--data-file", "-")
                    .out()
                    .strip();
            assertThat(json("show", piped).get("payload").asText()).isEqualTo("hello");
            String at = ok("publish", "--topic", "t", "--data", "@postroom.yml")
                    .out()
                    .strip();
            assertThat(json("show", at).get("payload").asText()).isEqualTo("@postroom.yml");
        }

        @Test
        @Tag("R10")
        void beyond_a_limit_is_refused_with_the_setting() {
            cli.property("postroom.limits.payload-bytes", "10");
            Cli.Result result = cli.run("publish", "--topic", "t", "--data", "12345678901");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("11 bytes", "limit is 10", "postroom.limits.payload-bytes");
        }

        @Test
        @Tag("R11")
        void a_compressed_payload_is_shown_unpacked() {
            cli.property("postroom.compression.threshold", "256");
            String long1 = "ab".repeat(1000);
            String id = ok("publish", "--topic", "t", "--data", long1).out().strip();
            JsonNode message = json("show", id);
            assertThat(message.get("contentEncoding").asText()).isEqualTo("gzip");
            assertThat(message.get("payload").asText()).isEqualTo(long1);
        }
    }
}
