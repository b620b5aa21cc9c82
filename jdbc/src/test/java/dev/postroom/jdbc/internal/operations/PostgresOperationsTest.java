package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Change;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Sight;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostgresOperationsTest extends JdbcOperationsContract {
    private static TestDatabase database;

    @BeforeAll
    static void create() {
        database = Postgres.newest().freshDatabase();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
    }

    @Override
    DataSource dataSource() {
        return database.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new PostgresOperationsSql();
    }

    @Test
    @Tag("R72")
    void error_is_not_searched_where_a_header_may_have_a_hidden_name_in_escapes() {
        UUID id = rows.dead("orders", "a");
        rows.update("UPDATE postroom_message SET error = 'jane' WHERE id = ?", id);
        setHeaders("postroom_message", id, "{\"x-\\u0074oken\":\"jane\"}");
        Operations some = operations.seeing(new Sight(Tenants.ALL, ErrorSearch.unless("[tT]oken")));

        MessageFilter jane = filter().text("jane").build();
        assertThat(operations.list(jane, 0, 10).total()).isEqualTo(1);
        assertThat(some.list(jane, 0, 10).total()).isZero();
    }

    @Test
    void an_unfiltered_list_walks_an_index_from_its_end() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO postroom_message (topic, payload) SELECT 'orders', '' FROM"
                    + " generate_series(1, 50000)");
            statement.execute("ANALYZE postroom_message");
            String list = new Where()
                    .in(sql().list())
                    .replace("{source}", sql().newest(10_000))
                    .replace("{found}", "0")
                    .replace("LIMIT ? OFFSET ?", "LIMIT 50 OFFSET 0");
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = statement.executeQuery("EXPLAIN " + list)) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            assertThat(plan)
                    .contains("Index Scan Backward using postroom_message_late")
                    .doesNotContain("Seq Scan");
        }
        assertThat(operations.list(MessageFilter.ALL, 0, 50).total()).isBetween(45_000L, 55_000L);
    }

    @Test
    @Tag("R72")
    void headers_are_looked_up_for_rows_whose_error_matches_and_never_read_for_all() throws Exception {
        MessageFilter jane = new MessageFilter(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "jane",
                new Sight(Tenants.ALL, ErrorSearch.unless("[tT]oken")));
        Where where = new Filters(sql()).found(jane, Instant.EPOCH);
        String search = where.in("EXPLAIN SELECT m.id FROM postroom_message m WHERE {where}")
                .replace("{along id}", "");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                PreparedStatement explain = connection.prepareStatement(search)) {
            statement.execute("INSERT INTO postroom_message (topic, payload) SELECT 'orders', '' FROM"
                    + " generate_series(1, 20000)");
            statement.execute("ANALYZE postroom_message");
            List<Object> values = List.copyOf(where.values());
            for (int i = 0; i < values.size(); i++) {
                explain.setObject(i + 1, values.get(i));
            }
            StringBuilder plan = new StringBuilder();
            try (ResultSet rows = explain.executeQuery()) {
                while (rows.next()) {
                    plan.append(rows.getString(1)).append('\n');
                }
            }
            assertThat(plan).contains("SubPlan").doesNotContain("hashed", "Seq Scan on postroom_message h");
        }
    }

    @Test
    @Tag("R34")
    void whole_days_of_the_archive_are_dropped() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE postroom_archive_p20200101 PARTITION OF postroom_archive"
                    + " FOR VALUES FROM ('2020-01-01Z') TO ('2020-01-02Z')");
            statement.execute("CREATE TABLE postroom_archive_p20200102 PARTITION OF postroom_archive"
                    + " FOR VALUES FROM ('2020-01-02Z') TO ('2020-01-03Z')");
            rows.archive(1, UUID.randomUUID(), "orders", "a", 0, Instant.parse("2020-01-02T10:00:00Z"));
            rows.archive(2, UUID.randomUUID(), "orders", "a", 0, Instant.parse("2019-01-02T10:00:00Z"));
            statement.execute("ANALYZE postroom_archive");
        }

        assertThat(operations.purge(Duration.ofDays(365), "disk is full", removed -> {}))
                .isEqualTo(new ActionResult(2, 2));
        assertThat(rows.count("SELECT count(*) FROM pg_class WHERE relname LIKE 'postroom\\_archive\\_p2020%'"))
                .isZero();
    }

    @Test
    void a_schema_and_prefix_of_ones_own_are_used() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA shop");
        }
        TableNames names = new TableNames("shop", "box_");
        Store.open(dataSource(), names).schema().migrate();
        rows.update("INSERT INTO shop.box_message (topic, payload) VALUES ('orders', '')");
        Operations own = operations(names);

        assertThat(own.list(filter().tenant("").topic("orders").key("a").build(), 0, 10)
                        .items())
                .isEmpty();
        assertThat(own.list(MessageFilter.ALL, 0, 10).items()).hasSize(1);
        assertThat(own.stats().backlog()).isEqualTo(1);
        own.purge(Duration.ofDays(1), "disk is full", removed -> {});
        assertThat(operations.list(MessageFilter.ALL, 0, 10).items()).isEmpty();
    }

    @Test
    void a_read_only_database_is_explained() throws Exception {
        UUID id = rows.dead("orders", "a");
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            String name = connection.getCatalog();
            statement.execute("ALTER DATABASE \"" + name + "\" SET default_transaction_read_only = on");
            try {
                assertThatThrownBy(() -> operations.change(Change.SKIP, List.of(id), "not needed"))
                        .isInstanceOf(DatabaseException.class)
                        .hasMessageContaining("read-only")
                        .hasMessageContaining("connect to the primary");
            } finally {
                statement.execute("ALTER DATABASE \"" + name + "\" RESET default_transaction_read_only");
            }
        }
        assertThat(rows.live(id)).isNotNull();
    }

    @Test
    void a_list_that_takes_too_long_is_ended_with_advice() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("LOCK TABLE postroom_message IN ACCESS EXCLUSIVE MODE");

            assertThatThrownBy(() -> operations.list(MessageFilter.ALL, 0, 50))
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageContaining("within 5 s")
                    .hasMessageContaining("narrow the filter");
            connection.rollback();
        }
    }
}
