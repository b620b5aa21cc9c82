package dev.postroom.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void what_would_steer_a_terminal_is_written_out() {
        assertThat(Printable.line("red \u001b[31m\nnext\tcell\r\u0007\u009b"))
                .isEqualTo("red \\u001b[31m\\nnext\\tcell\\u000d\\u0007\\u009b");
        assertThat(Printable.line("turned \u202e round")).isEqualTo("turned \\u202e round");
    }

    @Test
    void a_block_keeps_its_lines_and_any_language() {
        assertThat(Printable.block("a\n\tb \u001b 日本 😀")).isEqualTo("a\n\tb \\u001b 日本 😀");
    }
}
