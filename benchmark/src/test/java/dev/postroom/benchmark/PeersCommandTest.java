package dev.postroom.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@Tag("R20")
class PeersCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        PeersCommand command = new PeersCommand();
        command.warmUp = false;
        return new CommandLine(command)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    /** A system that had not handled all of them would fail the command. */
    @Test
    void every_system_handles_every_message() {
        assertThat(run("--messages", "50", "--rounds", "1", "--json"))
                .describedAs(err.toString())
                .isZero();
        List<String> documents = out.toString().lines().toList();
        assertThat(documents)
                .hasSize(5)
                .allSatisfy(document -> assertThat(document)
                        .startsWith("{\"bench\":\"peers\",\"system\":\"")
                        .contains(
                                "\"store\":\"postgresql\",\"transport\":\"none\",\"messages\":50,\"payloadBytes\":300,\"perSecond\":")
                        .contains("\"reference\":{\"name\":\"raw read+delete\",\"perSecond\":")
                        .endsWith("}}}"));
        assertThat(documents)
                .extracting(document -> document.replaceFirst(".*\"system\":\"([^\"]*)\".*", "$1"))
                .containsExactly("postroom", "gruelbox", "namastack", "modulith", "db-scheduler");
        assertThat(documents.get(0)).contains("\"ratioToBestPeer\":");
        assertThat(documents.subList(1, 5)).noneMatch(document -> document.contains("ratioToBestPeer"));
    }

    @Test
    void what_the_others_do_not_have_is_refused_in_a_sentence() {
        assertThat(run("--store", "mariadb")).isEqualTo(2);
        assertThat(run("--transport", "kafka")).isEqualTo(2);
        assertThat(err.toString())
                .contains("PostgreSQL only (--store was mariadb)", "in the same process", "(--transport was kafka)");
    }
}
