package dev.postroom;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DatabaseExceptionTest {
    private static boolean isUnreachable(String state, int code) {
        return new DatabaseException("no", new SQLException("no", state, code)).isUnreachable();
    }

    @Test
    @Tag("R63")
    void database_that_does_not_answer_yet_is_unreachable() {
        assertThat(isUnreachable("08001", 0)).as("nobody listens").isTrue();
        assertThat(isUnreachable("08006", 0)).as("the connection broke").isTrue();
        assertThat(isUnreachable("57P03", 0)).as("PostgreSQL starts up").isTrue();
        assertThat(isUnreachable("53300", 0)).as("PostgreSQL is full").isTrue();
        assertThat(isUnreachable("08004", 1040)).as("MariaDB is full").isTrue();
        assertThat(new DatabaseException("no", new SQLTransientConnectionException("timed out")).isUnreachable())
                .as("a pool that has none to give")
                .isTrue();
    }

    @Test
    @Tag("R63")
    void database_that_refuses_is_not() {
        assertThat(isUnreachable("28P01", 0)).as("wrong password").isFalse();
        assertThat(isUnreachable("08004", 0)).as("no password").isFalse();
        assertThat(isUnreachable("3D000", 0)).as("no such database").isFalse();
        assertThat(isUnreachable(null, 0)).isFalse();
    }

    @Test
    @Tag("R60")
    void pool_without_a_free_connection_is_explained_as_that() {
        SQLException exhausted = new SQLTransientConnectionException("request timed out (total=3, active=3)");
        assertThat(DatabaseException.noConnection("could not begin a transaction", exhausted))
                .hasMessageContaining("could not begin a transaction: request timed out (total=3, active=3)")
                .hasMessageContaining("all its connections are in use: a relay keeps three for itself");
        assertThat(DatabaseException.noConnection("cannot connect", new SQLException("refused", "08001")))
                .hasMessageContaining("Check that the database runs")
                .hasMessageNotContainingAny("pool", "postroom.database");
        SQLException down = new SQLTransientConnectionException("timed out", new SQLException("refused", "08001"));
        assertThat(DatabaseException.noConnection("cannot connect", down))
                .as("a pool that knows better why")
                .hasMessageContaining("Check that the database runs");
    }
}
