package dev.postroom.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.Message;
import dev.postroom.server.Cli;
import dev.postroom.server.Deliveries;
import dev.postroom.testbed.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The doctor finds what is wrong, and nothing else. */
@Tag("R54")
abstract class DoctorContract extends CommandsOnDatabase {

    DoctorContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    @Nested
    class Doctor {
        @Test
        void finds_a_healthy_installation_healthy() {
            new Deliveries(database).relayReports();
            Cli.Result result = ok("doctor");
            // Up to PostgreSQL 14 everybody may create where the tables are.
            assertThat(result.out().lines())
                    .allSatisfy(line -> assertThat(line).matches("ok .*|warning +schema rights +PUBLIC .*"));
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
                    .containsPattern(
                            "warning +blocked streams +1, the longest: key=7 since .* by a message of orders.*" + id)
                    .containsPattern("warning +pauses.*topic=orders by ada");
        }

        @Test
        void warns_of_what_a_relay_holds_and_of_lanes_that_are_not_renewed() {
            Deliveries deliveries = new Deliveries(database);
            deliveries.relayReports(
                    "{\"held\":[{\"cause\":\"breaker\",\"destination\":\"billing\",\"why\":\"refused\"},"
                            + "{\"cause\":\"pause\",\"topic\":\"orders\",\"why\":\"paused\"}]}");
            deliveries.laneExpires();
            assertThat(ok("doctor").out())
                    .containsPattern(
                            "warning +held +destination billing: refused -> .*postroom resume --destination NAME")
                    .containsPattern("warning +lanes +1 of 64 belong to a relay that stopped");
        }

        @Test
        @Tag("R61")
        void tells_who_stands_by_what_differs_and_how_a_destination_that_joined_gets_the_rest() {
            new Deliveries(database).destinationJoins();
            assertThat(ok("doctor").out())
                    .containsPattern("warning +routing +relay relay-old on host-a stands by for relay-new.*"
                            + "it has orders -> billing \\(block\\); in force is orders -> audit, billing \\(block\\)")
                    .containsPattern("ok +routing +audit receives orders since .*To send that as well:\n"
                            + "postroom replay --topic orders --destination audit --from .* --to ");
            assertThat(ok("nodes").out())
                    .contains("(stands by)", "Routes of relay-old (+) against those in force (-), as of ")
                    .contains("  + orders -> billing (block)\n  - orders -> audit, billing (block)\n");
            String addresses = "billing is kafka a:9092 to relay-old; kafka b:9092 to relay-new";
            assertThat(ok("doctor").out()).contains(addresses);
            assertThat(ok("nodes").out()).contains("Addresses differ: " + addresses);
        }

        @Test
        @Tag("R61")
        void prints_replays_that_a_shell_runs_as_they_stand() throws Exception {
            cli.property("postroom.destinations.audit.type", "log");
            Deliveries deliveries = new Deliveries(database);
            List<String> missed = new ArrayList<>();
            List<String> others = new ArrayList<>();
            deliveries.routesChange(
                    "it's $HOME; -> billing (block)\nout.a -> audit, billing (block)\n** -> billing (block)",
                    "it's $HOME; -> audit, billing (block)\nout.** -> audit, billing (block)\n** -> billing (block)",
                    () -> {
                        missed.add(
                                deliveries.delivered(Message.to("it's $HOME;").key("1")));
                        missed.add(deliveries.delivered(Message.to("out.b").key("1")));
                        missed.add(deliveries.delivered(Message.to("out.c.d").key("1")));
                        others.add(deliveries.delivered(Message.to("out.a").key("1")));
                        others.add(deliveries.delivered(Message.to("elsewhere").key("1")));
                    });
            List<String> lines = ok("doctor")
                    .out()
                    .lines()
                    .filter(line -> line.startsWith("postroom "))
                    .toList();
            assertThat(lines).hasSize(2);
            assertThat(ok(words(lines.get(1) + " --limit 1")).out())
                    .contains(
                            "replay sends 1 of 2 messages of 2 topics", "It ended at --limit 1: the rest was not sent");
            for (String line : lines) {
                assertThat(ok(words(line)).out()).containsPattern("replay sends 1 of [12] message");
            }
            assertThat(missed).allSatisfy(id -> assertThat(status(id)).isNotEqualTo("processed"));
            assertThat(others).allSatisfy(id -> assertThat(status(id)).isEqualTo("processed"));
            assertThat(ok(words(lines.get(1))).out())
                    .contains("replay sends 0 of 2 messages of 2 topics", "2 are not delivered yet");
        }

        @Test
        @Tag("R61")
        void prints_replays_with_the_settings_file_that_was_given() throws Exception {
            new Deliveries(database).destinationJoins();
            Path file = Files.writeString(
                    Files.createTempFile("it's production ", ".yml"), "postroom.destinations.audit.type: log\n");
            String line = ok("doctor", "--config", file.toString())
                    .out()
                    .lines()
                    .filter(printed -> printed.startsWith("postroom replay "))
                    .findFirst()
                    .orElseThrow();
            assertThat(words(line)).endsWith("--config", file.toString());
            ok(words(line));
        }

        /** As a shell hands them to the command. */
        private static String[] words(String line) throws Exception {
            Process shell = new ProcessBuilder("sh", "-c", "postroom() { printf '%s\\n' \"$@\"; }\n" + line)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(shell.waitFor()).as(said).isZero();
            return said.lines().toArray(String[]::new);
        }

        @Test
        @Tag("R61")
        void tells_how_many_more_destinations_joined_than_it_lists() {
            StringBuilder before = new StringBuilder("t -> billing (block)");
            StringBuilder now = new StringBuilder("t -> audit, billing (block)");
            for (int i = 0; i < 30; i++) {
                before.append("\nt").append(i).append(" -> billing (block)");
                now.append("\nt").append(i).append(" -> audit, billing (block)");
            }
            new Deliveries(database).routesChange(before.toString(), now.toString(), () -> {});
            assertThat(ok("doctor").out())
                    .contains("11 more destinations joined (31 in all): ")
                    .doesNotContain("are recorded");
        }

        @Test
        @Tag("R61")
        void warns_that_gaps_are_not_told_of_routes_that_are_not_recorded() {
            String route = " -> billing (block)";
            new Deliveries(database)
                    .routesChange("t" + route, "t" + route + "\nlong" + "x".repeat(32_000) + route, () -> {});
            assertThat(ok("doctor").out()).containsPattern("warning +routing .*only the first 32000 characters");
        }

        @Test
        @Tag("R61")
        void says_of_a_replay_to_a_destination_that_was_rolled_back_what_it_waits_for() {
            Deliveries deliveries = new Deliveries(database);
            cli.property("postroom.destinations.audit.type", "log");
            List<String> ids = new ArrayList<>();
            deliveries.routesChange(
                    "orders -> audit, billing (block)",
                    "orders -> billing (block)",
                    () -> ids.add(deliveries.delivered(Message.to("orders").key("1"))));
            deliveries.relayReports("{\"held\":[{\"cause\":\"no_route\",\"destination\":\"audit\",\"topic\":\"orders\","
                    + "\"why\":\"not in force\"}]}");
            String since = "destination 'audit' has not been in the routing in force since 20";
            Cli.Result replayed =
                    cli.run("replay", "--topic", "orders", "--destination", "audit", "--reason", "catch up");
            assertThat(replayed.exit()).isZero();
            assertThat(replayed.err()).contains(since, "start relays whose routes have it");
            assertThat(ok("doctor").out()).contains("replays wait, because " + since);
            assertThat(ok("show", ids.get(0)).out()).contains(since);
        }

        @Test
        @Tag("R51")
        void measures_by_the_limits_of_the_settings() {
            new Deliveries(database).relayReports();
            publish("orders", "1");
            publish("orders", "2");
            assertThat(ok("doctor").out()).doesNotContain("health");
            cli.property("postroom.health.backlog.degraded", "1");
            assertThat(ok("doctor").out()).containsPattern("warning +health");
            cli.property("postroom.health.backlog.down", "2");
            Cli.Result down = cli.run("doctor");
            assertThat(down.out()).containsPattern("wrong +health");
            assertThat(down.exit()).isEqualTo(1);
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
