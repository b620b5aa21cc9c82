package dev.postroom.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.server.Cli;
import dev.postroom.server.web.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Asks everything that an operator, a dashboard and a monitor ask, and wants an answer each time. For one thread. */
final class Onlooker {
    private static final List<String> PATHS = List.of(
            "api/v1/stats",
            "api/v1/health",
            "api/v1/nodes",
            "api/v1/lanes",
            "api/v1/routing",
            "api/v1/failures",
            "api/v1/streams/blocked",
            "api/v1/destinations",
            "api/v1/messages?pageSize=100",
            "api/v1/messages?status=dead&pageSize=100",
            "api/v1/messages?status=failed&pageSize=100",
            "actuator/prometheus");

    private static final List<String> COMMANDS = List.of("stats", "list", "nodes", "doctor");

    private final HttpClient client = HttpClient.newHttpClient();
    private final WebServer web;
    private final Cli cli;
    private final List<HostileRow> rows;
    private final Random random;

    Onlooker(WebServer web, Cli cli, List<HostileRow> rows, Random random) {
        this.web = web;
        this.cli = cli;
        this.rows = rows;
        this.random = random;
    }

    void look() {
        PATHS.forEach(this::get);
        String command = COMMANDS.get(random.nextInt(COMMANDS.size()));
        Cli.Result result = cli.run(command, "--json");
        assertThat(result.json().isContainerNode())
                .as(command + ": " + result.err())
                .isTrue();
        show(rows.get(random.nextInt(rows.size())));
    }

    /** At the end: meanwhile a broker may really have been slow, and nothing have been measured yet. */
    void seeThatAllIsWell() {
        assertThat(get("actuator/prometheus").lines())
                .filteredOn(line -> line.startsWith("postroom_oldest_pending_seconds")
                        || line.startsWith("postroom_backlog_messages"))
                .hasSize(2)
                .noneMatch(line -> line.endsWith("NaN"));
        assertThat(get("api/v1/health")).as("a row took a destination for down").doesNotContain("BREAKER_OPEN");
    }

    /** All of the surface, and one row of each kind. */
    void lookAtAll() {
        look();
        for (String command : COMMANDS) {
            assertThat(cli.run(command).err()).as(command).isEmpty();
        }
        Set<String> seen = new HashSet<>();
        rows.stream().filter(row -> seen.add(row.kind)).forEach(this::show);
        HostileRow one = rows.get(random.nextInt(rows.size()));
        assertThat(cli.run("show", one.id.toString()).out()).contains(one.id.toString());
    }

    private void show(HostileRow row) {
        assertThat(get("api/v1/messages/" + row.id)).as(row.toString()).contains(row.id.toString());
    }

    private String get(String path) {
        try {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(web.url() + path)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
            return response.body();
        } catch (IOException e) {
            throw new AssertionError("no answer to " + path, e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
