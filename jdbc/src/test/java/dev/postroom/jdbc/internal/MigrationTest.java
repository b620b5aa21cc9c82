package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.SchemaException;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("R58")
class MigrationTest {

    @ParameterizedTest
    @EnumSource
    void ten_nodes_migrate_at_once(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        List<Callable<List<Integer>>> nodes = new ArrayList<>();
        for (int node = 0; node < 10; node++) {
            nodes.add(() -> Databases.store(database).schema().migrate());
        }
        ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
        try {
            List<List<Integer>> applied = new ArrayList<>();
            for (Future<List<Integer>> node : threads.invokeAll(nodes)) {
                applied.add(node.get());
            }
            assertThat(applied)
                    .containsOnlyOnce(List.of(1))
                    .filteredOn(List::isEmpty)
                    .hasSize(9);
        } finally {
            threads.shutdownNow();
        }
        assertUsable(Databases.store(database));
    }

    @ParameterizedTest
    @EnumSource
    void other_schema_and_prefix_are_used_and_the_session_is_left_as_it_was(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        String schema = "billing_"
                + database.url().substring(database.url().length() - 6).replaceAll("[^a-z0-9_]", "x");
        execute(database, "CREATE SCHEMA " + schema);
        try (Connection connection = database.connect()) {
            String catalog = connection.getCatalog();
            String before = connection.getSchema();
            Store store = Store.open(new OneConnection(connection), new TableNames(schema, "invoice_"));
            if (kind == Databases.H2_MEMORY) {
                // H2 holds its lock with a second connection.
                store = Store.open(database.dataSource(), new TableNames(schema, "invoice_"));
            }
            assertThat(store.schema().current()).isZero();
            assertThat(store.schema().migrate()).containsExactly(1);
            assertUsable(store);
            assertThat(connection.getCatalog()).isEqualTo(catalog);
            assertThat(connection.getSchema()).isEqualTo(before);
        }
        execute(
                database,
                "INSERT INTO " + schema + ".invoice_message (topic, payload) SELECT 'a', payload FROM " + schema
                        + ".invoice_archive");
        assertThat(Databases.store(database).schema().current()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void printed_script_runs_as_it_is(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Schema schema = Databases.store(database).schema();
        for (String statement : Migrations.statements(schema.script(0))) {
            execute(database, statement);
        }
        assertThat(schema.current()).isEqualTo(1);
        assertThat(schema.migrate()).isEmpty();
        assertUsable(Databases.store(database));
    }

    @ParameterizedTest
    @EnumSource
    void schema_from_the_future_is_refused(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Schema schema = Databases.store(database).schema();
        schema.migrate();
        execute(database, "INSERT INTO postroom_schema (version, script) VALUES (99, 'from the future')");
        assertThatThrownBy(schema::migrate).isInstanceOf(SchemaException.class).hasMessageContaining("99");
        assertThatThrownBy(schema::check).isInstanceOf(SchemaException.class).hasMessageContaining("99");
    }

    /** Where DDL commits at once, a migration may die after any of its statements. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POSTGRESQL")
    void migration_that_died_in_the_middle_is_resumed(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Schema schema = Databases.store(database).schema();
        List<String> statements = Migrations.statements(schema.script(0));
        for (int done = 0; done < statements.size() - 1; done++) {
            execute(database, statements.get(done));
            if (done % 4 == 0) {
                assertThat(schema.current()).isZero();
            }
        }
        assertThat(schema.migrate()).containsExactly(1);
        assertUsable(Databases.store(database));
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void migration_that_failed_gives_the_lock_and_the_connection_back(Databases kind) throws Exception {
        TestDatabase database = kind.fresh();
        Databases.store(database).schema().migrate();
        List<String> broken = List.of("INSERT INTO postroom_nowhere VALUES (1);\n");
        try (Connection pooled = database.connect()) {
            // H2 holds its lock with a second connection.
            DataSource pool = kind == Databases.H2_MEMORY ? database.dataSource() : new OneConnection(pooled);
            assertThatThrownBy(() -> LaterVersion.of(pool, broken).migrate()).isInstanceOf(DatabaseException.class);
            assertThat(pooled.getAutoCommit()).isTrue();
            assertThat(LaterVersion.of(database.dataSource(), List.of("CREATE TABLE postroom_more (id integer);\n"))
                            .migrate())
                    .containsExactly(2);
        }
    }

    @Test
    void statements_end_with_the_delimiter_in_force() {
        assertThat(Migrations.statements("""
                -- a comment
                SELECT 1;
                DELIMITER //
                BEGIN
                  SELECT 2;
                END //
                DELIMITER ;
                SELECT $body$ a;
                b $body$;
                """))
                .containsExactly("SELECT 1", "BEGIN\n  SELECT 2;\nEND ", "SELECT $body$ a;\nb $body$");
    }

    private static void assertUsable(Store store) {
        store.schema().check();
        try (LaneStore lanes = store.openLanes()) {
            assertThat(lanes.lanes()).hasSize(LaneStore.LANES);
        }
        store.checkWritable();
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
