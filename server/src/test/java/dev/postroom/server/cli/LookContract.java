package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.Message;
import dev.postroom.server.Cli;
import dev.postroom.server.Deliveries;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What there is: messages, numbers, relays. */
@Tag("R54")
abstract class LookContract extends CommandsOnDatabase {

    LookContract(Supplier<TestDatabase> databases) {
        super(databases);
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
        void every_filter_leaves_others_out() {
            String failed = new Deliveries(database)
                    .failed(
                            Message.to("orders").key("7").tenant("acme").type("OrderFailed"),
                            Duration.ofHours(1),
                            "no answer in 5 s");
            String waiting = publish("orders", "8");
            List<String> onlyFailed = List.of(
                    "--tenant=acme",
                    "--key=7",
                    "--type=OrderFailed",
                    "--status=scheduled",
                    "--failure=timeout",
                    "--min-attempts=1",
                    "--text=no answer");
            for (String filter : onlyFailed) {
                assertThat(json("list", filter).findValuesAsText("id"))
                        .as(filter)
                        .containsExactly(failed);
            }
            assertThat(json("list", "--status=pending").findValuesAsText("id")).containsExactly(waiting);
            for (String all : List.of("--created-after=2020-01-01", "--stale-for=0s")) {
                assertThat(json("list", all)).as(all).hasSize(2);
            }
            for (String none : List.of("--created-after=2100-01-01", "--stale-for=1d")) {
                assertThat(json("list", none)).as(none).isEmpty();
            }
        }

        @Test
        @Tag("I9")
        void a_list_says_when_older_messages_were_not_searched() throws SQLException {
            publish("rare", "1");
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                for (int doubled = 0; doubled < 14; doubled++) {
                    statement.execute("INSERT INTO postroom_message (topic, payload)"
                            + " SELECT 'orders', m.payload FROM postroom_message m");
                }
            }
            Cli.Result none = ok("list", "--topic", "rare");
            assertThat(none.out()).isEqualTo("No messages." + System.lineSeparator());
            assertThat(none.err()).contains("Only the newest 10,000 or so were searched. Narrow by status");
            assertThat(ok("list", "--topic", "rare", "--key", "1").out()).contains("rare");
            assertThat(ok("list", "--topic", "orders").err()).isEmpty();
            assertThat(ok("list", "--status", "dead").err()).isEmpty();
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
        @Tag("R72")
        void what_the_settings_redact_is_hidden_unless_it_is_revealed_which_is_audited() {
            String id = new Deliveries(database)
                    .failed(
                            Message.to("orders")
                                    .header("authorization", "Bearer abc-123-def")
                                    .text("application/json", "{\"card\":\"4111111\",\"n\":1}"),
                            null,
                            "cannot charge 4111111");
            cli.property("postroom.redact.json-paths", "$.card");
            String[] secrets = {"abc-123-def", "4111111"};

            assertThat(ok("show", id).out()).contains("(redacted)").doesNotContain(secrets);
            assertThat(ok("show", id, "--json").out())
                    .contains("\"redacted\" : true")
                    .doesNotContain(secrets);
            assertThat(ok("list").out()).doesNotContain(secrets);
            assertThat(ok("list", "--json").out()).doesNotContain(secrets);
            assertThat(ok("show", id, "--reveal", "--reason", "ticket 12").out())
                    .contains(secrets);
            assertThat(json("audit").get(0).get("action").asText()).isEqualTo("reveal");
            assertThat(json("audit").get(0).get("reason").asText()).isEqualTo("ticket 12");
        }

        @Test
        @Tag("R72")
        void list_hides_the_credentials_of_a_message_however_its_error_quotes_them() {
            new Deliveries(database)
                    .failed(
                            Message.to("orders")
                                    .header("authorization", "Token ab12")
                                    .text("text/plain", "x"),
                            null,
                            "no user for ab12");
            assertThat(ok("list").out()).contains("no user for (redacted)").doesNotContain("ab12");
            assertThat(ok("list", "--json").out())
                    .contains("no user for (redacted)")
                    .doesNotContain("ab12");
        }

        @Test
        void a_message_that_does_not_exist_is_a_failure() {
            Cli.Result result = cli.run("show", NO_SUCH_ID);
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("there is no message " + NO_SUCH_ID);
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
                            "blockedStreams",
                            "blockedMessages",
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
}
