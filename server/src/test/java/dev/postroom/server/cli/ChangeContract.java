package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.Message;
import dev.postroom.server.Cli;
import dev.postroom.server.Deliveries;
import dev.postroom.testbed.TestDatabase;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators do to messages, destinations and the archive. */
@Tag("R54")
abstract class ChangeContract extends CommandsOnDatabase {

    ChangeContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    @Nested
    class Changing {
        @Test
        void dead_letter_retry_skip_and_delete_do_what_they_say_and_are_audited() {
            String id = publish("orders", "1");
            JsonNode result = json("dead-letter", id, "--reason", "broken");
            assertThat(result.toString())
                    .isEqualTo("{\"matched\":1,\"matchedIsExact\":true,\"changed\":1,\"leftAlone\":0}");
            assertThat(status(id)).isEqualTo("dead");
            assertThat(ok("retry", id, "--reason", "fixed").out()).contains("retry changed 1 of 1 message.");
            assertThat(status(id)).isEqualTo("pending");
            ok("skip", id, "--reason", "not wanted", "--actor", "grace");
            assertThat(status(id)).isEqualTo("skipped");
            ok("delete", id, "--reason", "gone");
            assertThat(cli.run("show", id).exit()).isEqualTo(1);

            JsonNode audit = json("audit");
            assertThat(audit.findValuesAsText("action")).containsExactly("delete", "skip", "retry", "dead-letter");
            assertThat(audit.findValuesAsText("actor")).containsExactly("ada", "grace by ada", "ada", "ada");
            assertThat(audit.findValuesAsText("reason")).contains("not wanted");
            assertThat(audit.findValuesAsText("databaseUser"))
                    .allSatisfy(user -> assertThat(user).containsIgnoringCase(database.username()));
            assertThat(audit.findValuesAsText("oldState"))
                    .containsExactly("1 archived", "1 waiting", "1 dead", "1 pending");
            assertThat(audit.findValuesAsText("newState"))
                    .containsExactly("1 deleted", "1 skipped", "1 waiting", "1 dead");
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
                    .isEqualTo("{\"matched\":5,\"matchedIsExact\":true,\"changed\":0,\"leftAlone\":0}");
            assertThat(ok("dead-letter", "--topic", "orders", "--dry-run").out())
                    .contains("would change 5 messages; nothing was changed");
            assertThat(json("audit")).isEmpty();
            assertThat(json("dead-letter", "--topic", "orders", "--limit", "2", "--reason", "r")
                            .toString())
                    .isEqualTo("{\"matched\":5,\"matchedIsExact\":true,\"changed\":2,\"leftAlone\":0}");
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
            assertThat(json("release", "--key", "7", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(1);
            assertThat(status(behind)).isEqualTo("pending");
            assertThat(ok("release", "--key", "7", "--reason", "r").out()).contains("Nothing to release");
        }

        @Test
        @Tag("R28")
        void release_lets_only_messages_of_a_topic_go_on() {
            Deliveries deliveries = new Deliveries(database);
            deliveries.failed(Message.to("orders").key("7"), null, "bad");
            String behind = publish("invoices", "7");
            assertThat(status(behind)).as("another topic of the stream").isEqualTo("blocked");
            assertThat(ok("release", "--key", "7", "--topic", "invoices", "--reason", "r")
                            .out())
                    .contains("Nothing to release");
            assertThat(status(behind)).isEqualTo("blocked");
            ok("release", "--key", "7", "--topic", "orders", "--reason", "r");
            assertThat(status(behind)).isEqualTo("pending");
        }

        @Test
        @Tag("R28")
        void release_lets_only_the_messages_named_go_on() {
            new Deliveries(database).failed(Message.to("orders").key("7"), null, "bad");
            String second = publish("orders", "7");
            String third = publish("orders", "7");
            ok("release", "--key", "7", third, "--reason", "r");
            assertThat(status(second)).isEqualTo("blocked");
            assertThat(status(third)).isEqualTo("pending");
            assertThat(cli.run("release", "--key", "7", "--tenant", "acme", second, "--reason", "r")
                            .exit())
                    .as("another stream")
                    .isEqualTo(1);
            assertThat(cli.run("release", "--key", "8", third, "--reason", "r").exit())
                    .isEqualTo(1);
        }
    }

    @Nested
    @Tag("R76")
    class Erasing {
        @Test
        void everything_with_a_key_after_it_was_counted() {
            publish("orders", "eve");
            publish("invoices", "eve");
            String other = publish("orders", "bob");
            JsonNode counted = json("erase", "--key", "eve", "--dry-run");
            assertThat(counted.get("matched").asInt()).isEqualTo(2);
            assertThat(counted.get("changed").asInt()).isZero();
            assertThat(counted.get("places").get("live").asInt()).isEqualTo(2);
            assertThat(ok("erase", "--key", "eve", "--reason", "ticket 7").out())
                    .contains("erase removed 2 messages: 2 live and 0 archived rows");
            assertThat(json("list").findValuesAsText("id")).containsExactly(other);
            assertThat(json("audit").toString()).contains("ticket 7").doesNotContain("eve");
        }

        @Test
        void chosen_messages() {
            String id = publish("orders", "eve");
            ok("erase", id, "--reason", "ticket 7");
            assertThat(cli.run("show", id).exit()).isEqualTo(1);
        }

        @Test
        void neither_without_a_reason_nor_of_nothing_or_both() {
            assertThat(cli.run("erase", "--key", "eve").exit()).isEqualTo(2);
            assertThat(cli.run("erase", "--reason", "r").exit()).isEqualTo(2);
            assertThat(cli.run("erase", NO_SUCH_ID, "--key", "eve", "--reason", "r")
                            .exit())
                    .isEqualTo(2);
            assertThat(cli.run("erase", NO_SUCH_ID, "--tenant", "t", "--reason", "r")
                            .exit())
                    .isEqualTo(2);
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

        @Test
        @Tag("R37")
        void a_replay_to_a_destination_that_nobody_has_is_refused() {
            cli.property("postroom.destinations.billing.type", "log");
            Cli.Result result = cli.run("replay", "--topic", "orders", "--destination", "biling", "--reason", "r");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err())
                    .contains("no relay has used a destination named 'biling'", "did you mean billing?");
        }
    }

    @Nested
    class The_archive {
        @Test
        @Tag("R37")
        void replay_sends_archived_messages_again_with_their_ids() {
            cli.property("postroom.destinations.billing.type", "log");
            String id = new Deliveries(database).delivered(Message.to("orders").key("1"));
            assertThat(status(id)).isEqualTo("processed");
            String[] replay = {"replay", "--topic", "orders", "--destination", "billing"};
            assertThat(ok("replay", "--topic", "orders", "--destination", "billing", "--dry-run")
                            .out())
                    .contains("would send 1 message to");
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
        @Tag("R37")
        void replay_is_of_a_key_a_tenant_and_a_time() {
            cli.property("postroom.destinations.billing.type", "log");
            Deliveries deliveries = new Deliveries(database);
            deliveries.delivered(Message.to("orders").key("1"));
            deliveries.delivered(Message.to("orders").key("2"));
            deliveries.delivered(Message.to("orders").key("2").tenant("acme"));
            Map<String, Integer> matched = Map.of(
                    "--key=1", 1,
                    "--key=2", 2,
                    "--tenant=acme", 1,
                    "--from=2100-01-01", 0,
                    "--from=2020-01-01", 3);
            matched.forEach((option, count) -> assertThat(
                            json("replay", "--topic=orders", "--destination=billing", "--dry-run", option)
                                    .get("matched")
                                    .asInt())
                    .as(option)
                    .isEqualTo(count));
            assertThat(json("replay", "--topic=orders", "--destination=billing", "--limit=2", "--reason=r"))
                    .hasToString("{\"matched\":3,\"matchedIsExact\":true,\"changed\":2,\"leftAlone\":0}");
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
            assertThat(json("purge", "--older-than", "0s", "--reason", "r")
                            .get("changed")
                            .asInt())
                    .isEqualTo(1);
            assertThat(cli.run("show", id).exit()).isEqualTo(1);
            assertThat(json("audit").get(0).get("action").asText()).isEqualTo("purge");
        }
    }
}
