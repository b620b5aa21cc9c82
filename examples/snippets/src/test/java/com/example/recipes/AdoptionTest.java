package com.example.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.snippets.Snippet;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the SQL of docs/migrating.md as it stands there, on a table of another outbox that is full. */
@Tag("R58")
class AdoptionTest {
    private static final int ROWS = 2_500;
    private static final List<String> DOCUMENTED = Snippet.blocks(Path.of("../../docs/migrating.md"), "sql");

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private Connection connection;

    @BeforeEach
    void fill_the_old_outbox() throws SQLException {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        connection = database.connect();
        run(
                "create table old_outbox (id uuid primary key default gen_random_uuid(), topic text not null, aggregate_id text,"
                        + " event_type text, body text not null, created_at timestamptz not null, sent_at timestamptz)");
        // Written in another order than created, ten keys, every fifth already sent.
        run("insert into old_outbox (topic, aggregate_id, event_type, body, created_at, sent_at)"
                + " select 'orders', 'key-' || n % 10, 'Placed', n::text, timestamptz '2026-01-01' + n * interval '1 s',"
                + " case when n % 5 = 0 then now() end from generate_series(1, " + ROWS + ") n order by n % 7, n");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void rows_that_are_left_are_moved_in_chunks_with_their_ids_in_the_order_they_were_created() throws SQLException {
        List<String> ids = select("select id::text from old_outbox where sent_at is null order by created_at");
        assertThat(repeat(sql("INSERT INTO postroom_message"))).containsExactly(1_000, 1_000, 0);
        assertThat(select("select id::text from postroom_message order by seq")).isEqualTo(ids);
        assertThat(select("select count(*) from old_outbox")).containsExactly("" + ROWS / 5);
        assertThatKeysAreInOrder();
        assertThat(Outbox.on(database.dataSource())).isNotNull();
    }

    @Test
    void chunk_that_is_rolled_back_moves_nothing() throws SQLException {
        connection.setAutoCommit(false);
        run(sql("INSERT INTO postroom_message"));
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(select("select count(*) from postroom_message")).containsExactly("0");
        assertThat(select("select count(*) from old_outbox")).containsExactly("" + ROWS);
    }

    @Test
    void table_without_keys_gets_them_in_chunks_and_takes_them_along() throws SQLException {
        run(sql("ADD COLUMN idempotency_key"));
        run("insert into old_outbox (topic, body, created_at) values ('old writer', '', now())"); // gives none yet
        assertThat(repeat(sql("UPDATE old_outbox"))).containsExactly(1_000, 1_000, 501, 0);
        for (String statement : sql("CREATE UNIQUE INDEX CONCURRENTLY").lines().toList()) {
            run(statement); // one by one: such an index cannot be made inside of a transaction
        }
        assertThat(select("select is_nullable from information_schema.columns where column_name = 'idempotency_key'"
                        + " and table_name = 'old_outbox'"))
                .containsExactly("NO");

        run("create table keys as select idempotency_key::text as key from old_outbox where sent_at is null");
        int moved;
        do {
            moved = select(sql("postroom_publish(")).size();
        } while (moved > 0);
        assertThatKeysAreInOrder();
        assertThat(select("select key from keys order by key"))
                .hasSize(ROWS - ROWS / 5 + 1)
                .isEqualTo(select("select idempotency_key from postroom_dedup order by idempotency_key"));
        assertThat(select("select already_existed from postroom_publish(topic => 'orders', payload => ''::bytea,"
                        + " idempotency_key => (select min(key) from keys))"))
                .containsExactly("t");
    }

    /** Bodies are numbers that grow with the time of creation. */
    private void assertThatKeysAreInOrder() throws SQLException {
        assertThat(select("select body from (select ordering_key, convert_from(payload, 'UTF8') body, lag(convert_from("
                        + "payload, 'UTF8')) over (partition by ordering_key order by seq) before from postroom_message"
                        + " where topic = 'orders') as numbered where before::int > body::int"))
                .isEmpty();
    }

    private static String sql(String part) {
        return DOCUMENTED.stream()
                .filter(block -> block.contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/migrating.md has no SQL with " + part));
    }

    /** How many rows each run changed, until one changes none. */
    private List<Integer> repeat(String sql) throws SQLException {
        List<Integer> changed = new ArrayList<>();
        do {
            changed.add(run(sql));
        } while (changed.get(changed.size() - 1) > 0);
        return changed;
    }

    private int run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        }
    }

    private List<String> select(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }
}
