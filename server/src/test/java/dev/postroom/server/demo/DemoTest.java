package dev.postroom.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R20")
@Tag("R22")
class DemoTest {
    @TempDir
    Path folder;

    @Test
    void proves_that_nothing_was_lost() {
        Cli.Result result = Cli.in(folder).run("demo", "--port", "0", "--for", "5s", "--rate", "50");
        assertThat(result.exit()).as(result.out() + result.err()).isZero();
        assertThat(result.out())
                .contains("./postroom list --status dead", "published", "delivered to every destination")
                .containsPattern("lost +0")
                .contains("Nothing was lost, nothing was made up, and every order's messages came in order.");
    }

    @Test
    void answers_scripts_with_one_document() {
        JsonNode result = Cli.in(folder)
                .run("demo", "--port", "0", "--for", "2s", "--json")
                .json();
        assertThat(result.get("proved").asBoolean()).isTrue();
        assertThat(result.get("orders").asLong()).isPositive();
        assertThat(result.get("lost").asLong()).isZero();
        assertThat(result.get("reordered").asLong()).isZero();
    }

    @Test
    @Tag("R35")
    void ends_when_it_is_told_to_and_proves_it_all_the_same() throws Exception {
        try (ServerProcess demo = ServerProcess.start(folder, "demo", "--port", "0", "--rate", "50")) {
            demo.awaitOutput("published");
            assertThat(demo.terminate()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out()).contains("The shop is closed", "Nothing was lost");
        }
    }

    @Test
    void refuses_a_rate_that_cannot_be() {
        assertThat(Cli.in(folder).run("demo", "--rate", "0").exit()).isEqualTo(2);
    }
}
