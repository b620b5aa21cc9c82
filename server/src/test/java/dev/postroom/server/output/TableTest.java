package dev.postroom.server.output;

import static dev.postroom.server.output.Table.Column.number;
import static dev.postroom.server.output.Table.Column.text;
import static dev.postroom.server.output.Table.Column.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table = Table.of(whole("ID"), text("TOPIC"), number("N"), text("ERROR"))
            .row("0123456789", "orders.created", 7, "it went\nwrong in a long and winding way")
            .row("9876543210", "zoë 😀", null, "");

    private List<String> print(int width) {
        StringWriter out = new StringWriter();
        table.print(new PrintWriter(out), width);
        return out.toString().lines().toList();
    }

    @Test
    void columns_stand_under_their_headings_and_numbers_to_the_right() {
        assertThat(print(0))
                .containsExactly(
                        "ID          TOPIC           N  ERROR",
                        "0123456789  orders.created  7  it went\\nwrong in a long and winding way",
                        "9876543210  zoë 😀");
    }

    @Test
    void the_widest_column_is_cut_first() {
        assertThat(print(50)).contains("0123456789  orders.created  7  it went\\nwrong in …");
    }

    @Test
    void no_line_is_longer_than_the_terminal_is_wide() {
        for (int width = 12; width < 90; width++) {
            int most = width;
            assertThat(print(width))
                    .allSatisfy(line ->
                            assertThat(line.codePointCount(0, line.length())).isLessThanOrEqualTo(most));
        }
    }

    @Test
    void columns_that_have_no_room_are_left_out_from_the_right_and_the_first_stays_whole() {
        assertThat(print(12)).containsExactly("ID", "0123456789", "9876543210");
        assertThat(print(25)).contains("0123456789  orders.cr…  7", "ID          TOPIC       N");
        assertThat(print(5)).containsExactly("ID", "0123456789", "9876543210");
    }

    @Test
    void a_column_without_anything_in_it_is_left_out() {
        StringWriter out = new StringWriter();
        Table.of(whole("ID"), text("TENANT"), text("KEY"))
                .row("1", "", "a")
                .row("2", null, "b")
                .print(new PrintWriter(out), 0);
        assertThat(out.toString().lines()).containsExactly("ID  KEY", "1   a", "2   b");
    }

    @Test
    void a_row_with_another_number_of_cells_is_refused() {
        assertThatThrownBy(() -> table.row("1", "2")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_terminal_that_does_not_know_its_size_counts_as_usual() {
        assertThat(TerminalWidth.width("24 132")).isEqualTo(132);
        assertThat(TerminalWidth.width("0 0")).isEqualTo(80);
        assertThat(TerminalWidth.width("")).isEqualTo(80);
        assertThat(TerminalWidth.width("10 7")).isEqualTo(40);
    }
}
