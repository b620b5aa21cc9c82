package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a session says to the database, and leaves behind for whoever gets its connection from the pool next. */
class SessionTest {
    private final List<String> said = new ArrayList<>();
    private final Connected connected = new Connected();
    private boolean shared;
    private boolean recognisable = true;
    private final Session session = new Session(
            connected.dataSource(), new Session.Setup(List.of("SET a"), List.of("RESET a"), this::recognise));

    private Session.@Nullable Shared recognise(Connection connection) throws SQLException {
        if (!recognisable) {
            throw new SQLException("the connection broke", "08006");
        }
        return !shared
                ? null
                : new Session.Shared() {
                    @Override
                    public List<String> eachTransaction() {
                        return List.of("SET LOCAL a");
                    }

                    @Override
                    public void restore(Connection back) {
                        said.add("restore");
                    }
                };
    }

    private void say(String sql) {
        session.call("try", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    @Test
    void settings_are_made_once_and_taken_back_at_the_end() {
        say("1");
        say("2");
        session.close();
        assertThat(said).containsExactly("SET a", "1", "2", "RESET a", "close");
    }

    @Test
    void settings_are_taken_back_after_an_error_too() {
        say("1");
        assertThatThrownBy(() -> say("fail")).isInstanceOf(DatabaseException.class);
        assertThat(said).containsExactly("SET a", "1", "fail", "RESET a", "close");
    }

    @Test
    void connection_that_cannot_be_set_back_is_broken_off_and_not_used_by_others() {
        say("1");
        connected.refusing = "RESET a";
        session.close();
        assertThat(said).containsExactly("SET a", "1", "RESET a", "abort", "close");
    }

    @Test
    void connection_that_was_not_set_up_is_not_set_back() {
        recognisable = false;
        assertThatThrownBy(() -> say("1")).isInstanceOf(DatabaseException.class);
        assertThat(said).containsExactly("close");
    }

    @Test
    void where_the_session_is_shared_settings_end_with_each_transaction() {
        shared = true;
        say("1");
        say("2");
        session.close();
        assertThat(said)
                .containsExactly(
                        "begin",
                        "SET LOCAL a",
                        "1",
                        "commit",
                        "begin",
                        "SET LOCAL a",
                        "2",
                        "commit",
                        "restore",
                        "close");
    }

    /** Notes what it is told. */
    private final class Connected {
        private String refusing = "fail";
        private boolean autoCommit = true;

        DataSource dataSource() {
            return proxy(DataSource.class, (method, arguments) -> proxy(Connection.class, this::connection));
        }

        private @Nullable Object connection(String method, Object[] arguments) {
            if (method.equals("createStatement")) {
                return proxy(Statement.class, this::statement);
            }
            if (method.equals("getAutoCommit")) {
                return autoCommit;
            }
            if (method.equals("setAutoCommit")) {
                autoCommit = (boolean) arguments[0];
                if (!autoCommit) {
                    said.add("begin");
                }
            } else {
                said.add(method);
            }
            return null;
        }

        private @Nullable Object statement(String method, Object[] arguments) throws SQLException {
            if (method.equals("execute")) {
                said.add((String) arguments[0]);
                if (arguments[0].equals(refusing)) {
                    throw new SQLException("refused", "42000");
                }
                return true;
            }
            return null;
        }
    }

    private interface Calls {
        @Nullable
        Object called(String method, Object[] arguments) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> calls.called(method.getName(), arguments)));
    }
}
