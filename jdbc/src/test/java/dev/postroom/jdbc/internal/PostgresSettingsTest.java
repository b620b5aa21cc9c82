package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R62")
class PostgresSettingsTest {
    private final Session.Setup setup = PostgresSettings.of("enable_seqscan = off", "statement_timeout = '30s'");

    @Test
    void all_are_made_and_taken_back_and_nothing_is_compiled() {
        assertThat(setup.open())
                .singleElement()
                .asString()
                .endsWith("; SET enable_seqscan = off; SET statement_timeout = '30s'; SET jit = off;"
                        + " SET default_transaction_isolation = 'read committed'");
        for (String name : List.of("enable_seqscan", "statement_timeout", "jit", "default_transaction_isolation")) {
            assertThat(setup.open().get(0)).contains("set_config('postroom." + name + "', current_setting('" + name);
            assertThat(setup.close().get(0)).contains("set_config('" + name + "', current_setting('postroom." + name);
        }
    }

    @Test
    void session_of_a_connection_that_hides_its_driver_is_not_relied_on() throws SQLException {
        Connection hidden = (Connection) Proxy.newProxyInstance(
                PostgresSettingsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("isWrapperFor")) {
                        return false;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
        Session.Shared shared = setup.sharing().recognise(hidden);
        assertThat(shared).isNotNull();
        assertThat(shared.eachTransaction())
                .containsExactly("SET LOCAL transaction_isolation = 'read committed'; SET LOCAL enable_seqscan = off;"
                        + " SET LOCAL statement_timeout = '30s'; SET LOCAL jit = off");
        shared.restore(hidden);
    }
}
