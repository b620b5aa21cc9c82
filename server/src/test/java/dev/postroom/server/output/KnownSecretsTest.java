package dev.postroom.server.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.secrets.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R72")
class KnownSecretsTest {
    private static final String SECRET = "geheim 鍵 42";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final KnownSecrets secrets = new KnownSecrets();
    private final PrintStream stream = secrets.guard(new PrintStream(printed, true, StandardCharsets.UTF_8));

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void are_hidden_from_when_they_are_known() {
        stream.println("before " + SECRET);
        secrets.learn(Secrets.of(SECRET));
        stream.println("after " + SECRET);
        assertThat(printed()).isEqualTo("before " + SECRET + "\nafter ***\n");
    }

    @Test
    void are_hidden_in_messages_and_causes_of_a_stack_trace() {
        secrets.learn(Secrets.of(SECRET));
        new IllegalStateException("no " + SECRET, new IllegalArgumentException(SECRET)).printStackTrace(stream);
        assertThat(printed())
                .contains(
                        "IllegalStateException: no ***", "Caused by: java.lang.IllegalArgumentException: ***", "\tat ")
                .doesNotContain("geheim");
    }

    @Test
    void are_hidden_wherever_a_long_text_is_cut_on_its_way() {
        secrets.learn(Secrets.of(SECRET));
        for (int before = 8_150; before < 8_200; before++) {
            stream.println("x".repeat(before) + SECRET + "y");
        }
        assertThat(printed()).contains("x***y").doesNotContain("geheim", "鍵");
    }

    @Test
    void are_hidden_in_what_is_printed_piece_by_piece() {
        secrets.learn(Secrets.of(SECRET));
        StringWriter text = new StringWriter();
        PrintWriter writer = secrets.guard(new PrintWriter(text));
        writer.print("a geheim");
        writer.println(" 鍵 42 b");
        assertThat(text.toString()).isEqualTo("a *** b" + System.lineSeparator());
    }
}
