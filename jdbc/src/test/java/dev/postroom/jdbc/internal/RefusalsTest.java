package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.RefusedDataException;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R60")
class RefusalsTest {
    @ParameterizedTest
    @CsvSource({
        "22021, 0, text that the encoding does not have",
        "22001, 0, too long for its column",
        "23514, 0, a check",
        "23505, 1062, a unique key",
        "54000, 0, too long for an index",
        "HY000, 1366, MariaDB: text that is not of the character set",
        "42000, 1118, MariaDB: a row too long for its page",
        "42000, 139, MariaDB: the same",
        "08S01, 1153, MariaDB: longer than a packet",
        "HY000, 1301, MariaDB: a result longer than a packet",
    })
    void what_is_about_the_values_is_told_as_that(String state, int code, String what) {
        SQLException refused = new SQLException(what, state, code);
        assertThat(Refusals.isData(refused)).isTrue();
        assertThat(Refusals.explained("settle", refused))
                .isInstanceOf(RefusedDataException.class)
                .hasMessage("could not settle: " + what);
    }

    @ParameterizedTest
    @CsvSource({
        "25006, 0, read-only",
        "28000, 1045, no access",
        "42501, 1142, no right",
        "42P01, 1146, no such table",
        "42000, 1064, syntax",
        "53100, 0, the disk is full",
        "57014, 0, cancelled",
        "58030, 0, a broken disk",
        "40001, 1213, a deadlock",
        "08006, 0, the connection broke",
        "08S01, 1158, MariaDB: the connection broke",
        "HY000, 1205, MariaDB: a lock",
        "42S02, 1153, a number that means nothing with this state",
        "'', 0, an empty state",
        ", 1366, no state",
    })
    void anything_else_is_trouble_of_the_database(String state, int code, String what) {
        SQLException trouble = new SQLException(what, state, code);
        assertThat(Refusals.isData(trouble)).isFalse();
        assertThat(Refusals.explained("settle", trouble)).isNotInstanceOf(RefusedDataException.class);
    }
}
