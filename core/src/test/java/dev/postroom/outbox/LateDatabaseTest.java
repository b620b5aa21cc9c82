package dev.postroom.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.SchemaException;
import dev.postroom.spi.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that was not there when the outbox was made, and has no tables when it is. */
@Tag("R60")
class LateDatabaseTest {
    private final List<String> asked = new ArrayList<>();
    private final Connection connection = fake(Connection.class, (proxy, method, arguments) -> {
        asked.add(method.getName());
        return null;
    });
    private final DataSource dataSource = fake(DataSource.class, (proxy, method, arguments) -> connection);
    private final Store store = fake(Store.class, (proxy, method, arguments) -> {
        throw new SchemaException("there are no Postroom tables");
    });

    @Test
    void costs_the_pool_no_connection() {
        Outbox outbox = Outbox.configure(dataSource).store(store).build();
        assertThatThrownBy(() -> outbox.inTransaction(tx -> {}))
                .isInstanceOf(SchemaException.class)
                .hasMessage("there are no Postroom tables");
        assertThat(asked).last().isEqualTo("close");
    }

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
