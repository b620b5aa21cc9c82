package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.Message;
import dev.postroom.server.Cli;
import dev.postroom.server.Deliveries;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every command on a real database; a subclass per database. */
@Tag("R54")
abstract class CommandsContract {
    private static final String NO_SUCH_ID = "01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11";

    @TempDir
    Path folder;

    private TestDatabase database;
    private Cli cli;

    abstract TestDatabase freshDatabase();

    @BeforeEach
    void migrate() {
        database = freshDatabase();
        cli = Cli.on(database, folder);
        assertThat(ok("migrate").out()).startsWith("Brought the tables from version 0 to ");
    }

    private Cli.Result ok(String... args) {
        Cli.Result result = cli.run(args);
        assertThat(result.exit()).as(result.err()).isZero();
        return result;
    }

    private JsonNode json(String... args) {
        String[] all = new String[args.length + 1];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--json";
        return ok(all).json();
    }

    private String publish(String topic, String key) {
        return json("publish", "--topic", topic, "--key", key, "--data", "{\"n\":1}")
                .get("id")
                .asText();
    }

    private String status(String id) {
        return json("show", id).get("status").asText();
    }

    private static List<String> names(JsonNode object) {
        return StreamSupport.stream(((Iterable<String>) object::fieldNames).spliterator(), false)
                .toList();
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
            assertThat(unknown.firstErrorLine()).contains("use writer, relay or migrator");
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

    @Nested
    class List_and_show {
        @Test
        void an_item_has_the_fields_of_the_contract() {
            publish("orders.created", "1");
            JsonNode items = json("list");
            assertThat(items.isArray()).isTrue();
            assertThat(names(items.get(0)))
                    .containsExactly(
                            "id",
                            "seq",
                            "tenant",
                            "topic",
                            "key",
                            "type",
                            "status",
                            "attempts",
                            "createdAt",
                            "availableAt",
                            "processedAt",
                            "reason",
                            "errorSnippet");
            assertThat(items.get(0).get("status").asText()).isEqualTo("pending");
            assertThat(Instant.parse(items.get(0).get("createdAt").asText())).isAfter(Instant.EPOCH);
        }

        @Test
        void filters_and_pages() {
            publish("a", "1");
            publish("a", "2");
            publish("b", "1");
            assertThat(json("list", "--topic", "a")).hasSize(2);
            assertThat(json("list", "--topic", "a", "--key", "2")).hasSize(1);
            assertThat(json("list", "--limit", "2")).hasSize(2);
            assertThat(json("list", "--limit", "2", "--page", "1")).hasSize(1);
            assertThat(json("list", "--status", "dead")).isEmpty();
            assertThat(json("list", "--created-before", "2020-01-01")).isEmpty();
            assertThat(ok("list", "--limit", "2").out()).contains("2 of 3");
            assertThat(ok("list", "--tenant", "nobody").out()).isEqualTo("No messages." + System.lineSeparator());
        }

        @Test
        void the_table_fits_the_terminal() {
            String id = publish("a.topic.with.a.rather.long.name.that.goes.on", "key-" + "x".repeat(60));
            Cli.Result table = cli.width(100).run("list");
            assertThat(table.out()).startsWith("ID ").contains(id).contains("…");
            assertThat(table.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        }

        @Test
        void show_tells_attempts_and_why_it_has_not_been_sent() {
            String id = new Deliveries(database)
                    .failed(
                            Message.to("orders").key("7").text("text/plain", "hi"),
                            Duration.ofHours(1),
                            "no answer\u001b[31m in 5 s");
            JsonNode message = json("show", id);
            assertThat(message.get("status").asText()).isEqualTo("scheduled");
            assertThat(message.get("attempts").asInt()).isEqualTo(1);
            assertThat(message.get("attemptsMade").get(0).get("destination").asText())
                    .isEqualTo("billing");
            assertThat(message.get("attemptsMade").get(0).get("reason").asText())
                    .isEqualTo("TIMEOUT");
            assertThat(message.get("whyNotSent").get(0).asText()).contains("Waits for its retry");
            assertThat(ok("show", id).out())
                    .contains("why:       Waits for its retry", "Failed attempts:", "Payload:", "hi")
                    .doesNotContain("\u001b");
        }

        @Test
        void a_message_that_does_not_exist_is_a_failure() {
            Cli.Result result = cli.run("show", NO_SUCH_ID);
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("there is no message " + NO_SUCH_ID);
        }
    }

    @Nested
    class Changing {
        @Test
        void dead_letter_retry_skip_and_delete_do_what_they_say_and_are_audited() {
            String id = publish("orders", "1");
            JsonNode result = json("dead-letter", id, "--reason", "broken");
            assertThat(result.toString()).isEqualTo("{\"matched\":1,\"changed\":1}");
            assertThat(status(id)).isEqualTo("dead");
            assertThat(ok("retry", id, "--reason", "fixed").out()).contains("retry changed 1 of 1 message.");
            assertThat(status(id)).isEqualTo("pending");
            ok("skip", id, "--reason", "not wanted", "--actor", "grace");
            assertThat(status(id)).isEqualTo("skipped");
            ok("delete", id, "--reason", "gone");
            assertThat(cli.run("show", id).exit()).isEqualTo(1);

            JsonNode audit = json("audit");
            assertThat(audit.findValuesAsText("action")).containsExactly("delete", "skip", "retry", "dead-letter");
            assertThat(audit.findValuesAsText("actor")).containsExactly("ada", "grace", "ada", "ada");
            assertThat(audit.findValuesAsText("reason")).contains("not wanted");
            assertThat(ok("audit", "--limit", "1").out())
                    .contains("delete", "gone")
                    .doesNotContain("skip");
        }

        @Test
        void many_at_once_by_what_they_have_in_common() {
            for (int i = 0; i < 5; i++) {
                publish("orders", "k" + i);
            }
            String other = publish("other", "1");
            assertThat(json("dead-letter", "--topic", "orders", "--dry-run").toString())
                    .isEqualTo("{\"matched\":5,\"changed\":0}");
            assertThat(ok("dead-letter", "--topic", "orders", "--dry-run").out())
                    .contains("would change 5 messages; nothing was changed");
            assertThat(json("audit")).isEmpty();
            assertThat(json("dead-letter", "--topic", "orders", "--limit", "2", "--reason", "r")
                            .toString())
                    .isEqualTo("{\"matched\":5,\"changed\":2}");
            assertThat(json("dead-letter", "--topic", "orders", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(3);
            assertThat(json("list", "--status", "dead")).hasSize(5);
            assertThat(json("retry", "--status", "dead", "--topic", "orders", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(5);
            assertThat(status(other)).isEqualTo("pending");
            assertThat(json("skip", "--all", "--reason", "r").get("changed").asInt())
                    .isEqualTo(6);
        }

        @Test
        void a_message_that_does_not_fit_is_a_failure_when_it_was_named() {
            String id = publish("orders", "1");
            Cli.Result none = cli.run("retry", NO_SUCH_ID, "--reason", "r", "--json");
            assertThat(none.exit()).isEqualTo(1);
            assertThat(none.json().get("changed").asInt()).isZero();
            assertThat(none.firstErrorLine()).contains("1 of 1 messages do not exist");
            Cli.Result some = cli.run("skip", id, NO_SUCH_ID, "--reason", "r");
            assertThat(some.exit()).isZero();
            assertThat(some.err()).contains("1 of 2 messages do not exist");
        }

        @Test
        @Tag("R28")
        void release_unblocks_a_stream() {
            Deliveries deliveries = new Deliveries(database);
            deliveries.failed(Message.to("orders").key("7"), null, "bad");
            String behind = publish("orders", "7");
            assertThat(status(behind)).isEqualTo("blocked");
            assertThat(json("release", "--topic", "orders", "--key", "7", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(1);
            assertThat(status(behind)).isEqualTo("pending");
            assertThat(ok("release", "--topic", "orders", "--key", "7", "--reason", "r")
                            .out())
                    .contains("Nothing to release");
        }

        @Test
        @Tag("R28")
        void release_lets_only_the_messages_named_go_on() {
            new Deliveries(database).failed(Message.to("orders").key("7"), null, "bad");
            String second = publish("orders", "7");
            String third = publish("orders", "7");
            ok("release", "--topic", "orders", "--key", "7", third, "--reason", "r");
            assertThat(status(second)).isEqualTo("blocked");
            assertThat(status(third)).isEqualTo("pending");
            assertThat(cli.run("release", "--topic", "orders", "--key", "8", third, "--reason", "r")
                            .exit())
                    .isEqualTo(1);
        }
    }

    @Nested
    @Tag("R36")
    class Pausing {
        @Test
        void everything_a_destination_or_a_topic_and_back() {
            JsonNode paused = json("pause", "--topic", "orders", "--reason", "maintenance");
            assertThat(paused.get("paused").asBoolean()).isTrue();
            assertThat(paused.get("topic").asText()).isEqualTo("orders");
            assertThat(ok("pause").out()).contains("Everything is paused");
            assertThat(json("show", publish("orders", "1")).get("whyNotSent").toString())
                    .contains("maintenance");
            assertThat(ok("resume").out()).contains("Everything goes on.", "Still paused: topic=orders");
            assertThat(json("resume", "--topic", "orders").get("changed").asBoolean())
                    .isTrue();
            assertThat(json("resume", "--topic", "orders").get("changed").asBoolean())
                    .isFalse();
        }

        @Test
        void a_destination_that_nobody_uses_is_remarked_on() {
            cli.property("postroom.destinations.billing.type", "log");
            Cli.Result result = ok("pause", "--destination", "biling");
            assertThat(result.err()).contains("no relay has used", "did you mean billing?");
            assertThat(ok("pause", "--destination", "billing").err()).isEmpty();
        }
    }

    @Nested
    class The_archive {
        @Test
        @Tag("R37")
        void replay_sends_archived_messages_again_with_their_ids() {
            String id = new Deliveries(database).delivered(Message.to("orders").key("1"));
            assertThat(status(id)).isEqualTo("processed");
            String[] replay = {"replay", "--topic", "orders", "--destination", "billing"};
            assertThat(ok("replay", "--topic", "orders", "--destination", "billing", "--dry-run")
                            .out())
                    .contains("would send 1 messages");
            assertThat(json(
                                    "replay",
                                    "--topic",
                                    "orders",
                                    "--destination",
                                    "billing",
                                    "--to",
                                    "2020-01-01",
                                    "--dry-run")
                            .get("matched")
                            .asInt())
                    .isZero();
            assertThat(status(id)).isEqualTo("processed");
            assertThat(json("replay", "--topic", replay[2], "--destination", replay[4], "--rate", "5", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(1);
            assertThat(json("list").get(0).get("id").asText()).isEqualTo(id);
        }

        @Test
        @Tag("R34")
        void purge_removes_what_is_older() {
            String id = new Deliveries(database).delivered(Message.to("orders"));
            assertThat(json("purge", "--older-than", "1d").get("changed").asInt())
                    .isZero();
            assertThat(json("purge", "--older-than", "0s", "--dry-run")
                            .get("matched")
                            .asInt())
                    .isEqualTo(1);
            assertThat(status(id)).isEqualTo("processed");
            ok("purge", "--older-than", "0s", "--reason", "r");
            assertThat(json("audit").get(0).get("action").asText()).isEqualTo("purge");
        }
    }

    @Nested
    class Overview {
        @Test
        void stats_have_the_fields_of_the_contract() {
            new Deliveries(database).failed(Message.to("orders").key("7"), null, "bad");
            publish("orders", "8");
            JsonNode stats = json("stats");
            assertThat(names(stats))
                    .startsWith(
                            "backlog",
                            "scheduled",
                            "blocked",
                            "failedPending",
                            "dead",
                            "inFlight",
                            "oldestAgeSeconds",
                            "throughputPerSecond",
                            "failureRatio");
            assertThat(stats.get("backlog").asInt()).isEqualTo(1);
            assertThat(stats.get("dead").asInt()).isEqualTo(1);
            assertThat(ok("stats").out()).containsPattern("backlog +1").containsPattern("dead +1");
        }

        @Test
        void nodes_are_the_relays_that_reported() {
            assertThat(ok("nodes").out()).contains("No relay has reported.");
            new Deliveries(database).relayReports();
            JsonNode node = json("nodes").get(0);
            assertThat(node.get("node").asText()).isEqualTo("relay-1");
            assertThat(node.get("alive").asBoolean()).isTrue();
            assertThat(node.get("lanes").asInt()).isEqualTo(1);
            assertThat(node.get("details").get("inFlight").asInt()).isEqualTo(3);
            assertThat(ok("nodes").out()).contains("relay-1", "host-a", "1.2.3");
        }

        @Test
        void an_empty_audit_says_so() {
            assertThat(ok("audit").out()).contains("Nothing was changed yet.");
        }
    }

    @Nested
    class Doctor {
        @Test
        void finds_a_healthy_installation_healthy() {
            new Deliveries(database).relayReports();
            Cli.Result result = ok("doctor");
            assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).startsWith("ok "));
            assertThat(result.out()).contains("settings", "database", "writable", "schema", "clock", "1 alive");
            assertThat(result.out())
                    .doesNotContain(database.password().isEmpty() ? "\u0000" : "password=" + database.password());
        }

        @Test
        void warns_of_dead_letters_blocked_streams_and_pauses_without_failing() {
            Deliveries deliveries = new Deliveries(database);
            deliveries.relayReports();
            String id = deliveries.failed(Message.to("orders").key("7"), null, "bad");
            ok("pause", "--topic", "orders", "--reason", "maintenance");
            Cli.Result result = ok("doctor");
            assertThat(result.out())
                    .containsPattern("warning +dead letters +1")
                    .containsPattern("warning +blocked streams.*" + id)
                    .containsPattern("warning +pauses.*topic=orders by ada");
        }

        @Test
        void fails_when_messages_wait_and_no_relay_lives() {
            publish("orders", "1");
            Cli.Result result = cli.run("doctor", "--json");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.json().get("healthy").asBoolean()).isFalse();
            JsonNode wrong = StreamSupport.stream(result.json().get("checks").spliterator(), false)
                    .filter(check -> check.get("level").asText().equals("wrong"))
                    .findFirst()
                    .orElseThrow();
            assertThat(wrong.get("check").asText()).isEqualTo("relays");
            assertThat(wrong.get("advice").asText()).contains("start one");
        }

        @Test
        void fails_without_tables_and_says_how_to_make_them() {
            Cli.Result result = Cli.on(freshDatabase(), folder).run("doctor");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.out()).containsPattern("wrong +schema.*migrate").doesNotContain("relays");
        }
    }
}
