package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers begin above 0: a foreign writer's row below that would be there and never be read. */
@Tag("R60")
class RowNumbersTest {
    /** MariaDB allows no CHECK on a column that it numbers: there the doctor finds such rows. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "H2_MEMORY"})
    void that_no_relay_reads_are_refused(Databases databases) throws SQLException {
        TestDatabase database = databases.fresh();
        Databases.store(database).schema().migrate();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (long seq : new long[] {0, -1, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> statement.executeUpdate(insert(seq)))
                        .isInstanceOf(SQLException.class)
                        .message()
                        .containsIgnoringCase("postroom_message_counts");
            }
            assertThat(statement.executeUpdate(insert(1))).isEqualTo(1);
        }
    }

    private static String insert(long seq) {
        return "INSERT INTO postroom_message (seq, topic, payload) VALUES (" + seq + ", 'orders', '')";
    }
}
