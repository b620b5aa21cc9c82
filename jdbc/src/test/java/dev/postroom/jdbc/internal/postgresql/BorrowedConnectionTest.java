package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.OneConnection;
import dev.postroom.jdbc.internal.PostgresSettings;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A connection of an application's pool, which relays and operators use and give back. */
@Tag("R62")
class BorrowedConnectionTest {
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Postgres.newest().freshDatabase().connect();
        Store.open(new OneConnection(connection), TableNames.DEFAULT).schema().migrate();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void goes_back_with_the_settings_that_the_application_gave_it() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = '7s'; SET idle_in_transaction_session_timeout = '9s';"
                    + " SET plan_cache_mode = force_custom_plan; SET jit = on; SET enable_bitmapscan = off");
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        Store store = Store.open(new OneConnection(connection), TableNames.DEFAULT);
        try (FollowReader reader = store.openFollowReader(Owing.EVERYWHERE)) {
            reader.pauses();
        }
        store.operations().nodes();
        assertThat(shown("statement_timeout")).isEqualTo("7s");
        assertThat(shown("idle_in_transaction_session_timeout")).isEqualTo("9s");
        assertThat(shown("plan_cache_mode")).isEqualTo("force_custom_plan");
        assertThat(shown("jit")).isEqualTo("on");
        assertThat(shown("enable_bitmapscan")).isEqualTo("off");
        assertThat(shown("enable_seqscan")).isEqualTo("on");
        assertThat(shown("default_transaction_isolation")).isEqualTo("serializable");
    }

    @Test
    void is_used_at_read_committed_whatever_the_application_prefers() throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        try (Session session = new Session(new OneConnection(connection), PostgresSettings.of())) {
            assertThat(isolation(session)).isEqualTo("read committed");
        }
    }

    @Test
    void is_used_at_read_committed_where_its_session_is_shared() throws SQLException {
        connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        Session.Setup direct = PostgresSettings.of();
        Session.Sharing hidden = any -> direct.sharing().recognise(hiding(any));
        try (Session session =
                new Session(new OneConnection(connection), new Session.Setup(direct.open(), direct.close(), hidden))) {
            assertThat(isolation(session)).isEqualTo("read committed");
        }
        assertThat(shown("default_transaction_isolation")).isEqualTo("serializable");
    }

    /** As of a wrapper that does not let the driver be asked, so that nobody can tell whether there is a pooler. */
    private static Connection hiding(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                BorrowedConnectionTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) ->
                        method.getName().equals("isWrapperFor") ? false : method.invoke(connection, arguments));
    }

    private static String isolation(Session session) {
        String alone = session.call("ask", any -> shown(any, "transaction_isolation"));
        assertThat(session.<String>transaction("ask", any -> shown(any, "transaction_isolation")))
                .isEqualTo(alone);
        return alone;
    }

    private String shown(String setting) throws SQLException {
        return shown(connection, setting);
    }

    private static String shown(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW " + setting)) {
            row.next();
            return row.getString(1);
        }
    }
}
