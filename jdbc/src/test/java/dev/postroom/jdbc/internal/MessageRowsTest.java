package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class MessageRowsTest {
    private static final UUID ID = new UUID(1, 2);
    private static final int CREATED_AT = 14;

    private final MessageRows rows = new MessageRows(Timestamps.WITH_TIME_ZONE);
    private final Map<Integer, Object> columns =
            new HashMap<>(Map.of(1, ID, 2, 5, 3, 77L, 4, 0, 5, "", 6, "orders", 7, "k", 9, "text/plain", 16, 3, 20, 4));

    MessageRowsTest() {
        columns.put(22, new byte[] {1});
        columns.put(CREATED_AT, Timestamp.from(Instant.parse("2026-01-01T00:00:00Z")));
    }

    @Test
    void a_row_is_mapped() throws SQLException {
        assertThat(rows.map(row(), RowLimits.ofPayload(100)).defect()).isNull();
    }

    @Test
    void a_row_that_cannot_be_read_has_a_defect_and_all_that_its_dead_letter_needs() throws SQLException {
        for (Object broken : List.of(
                new IllegalArgumentException("year out of range"),
                new SQLException("bad value", "22007"),
                new SQLException("cannot convert", "42846"))) {
            columns.put(CREATED_AT, broken);
            StoredMessage message = rows.map(row(), RowLimits.ofPayload(100));
            assertThat(message.defect()).contains("cannot be read").contains("correct it");
            assertThat(message.key().id()).isEqualTo(ID);
            assertThat(message.key().seq()).isEqualTo(77);
            assertThat(message.stream().key()).isEqualTo("k");
            assertThat(message.progress().attempts()).isEqualTo(3);
            assertThat(message.progress().version()).isEqualTo(4);
        }
    }

    @Test
    void a_lost_connection_is_no_fault_of_the_row() {
        columns.put(CREATED_AT, new SQLException("connection lost", "08006"));
        assertThatThrownBy(() -> rows.map(row(), RowLimits.ofPayload(100))).hasMessage("connection lost");
    }

    private ResultSet row() {
        boolean[] wasNull = new boolean[1];
        return (ResultSet) Proxy.newProxyInstance(
                ResultSet.class.getClassLoader(), new Class<?>[] {ResultSet.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("wasNull")) {
                        return wasNull[0];
                    }
                    Object value = columns.get(arguments[0]);
                    wasNull[0] = value == null;
                    if (value instanceof Exception broken) {
                        throw broken;
                    }
                    return switch (method.getName()) {
                        case "getInt" -> value == null ? 0 : value;
                        case "getLong" -> value == null ? 0L : value;
                        case "getBoolean" -> value != null;
                        default -> value;
                    };
                });
    }
}
