package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.SchemaException;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.TableNames;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The next change of the schema, which is yet to come, beside code of this version that runs on while it happens. */
@Tag("R58")
public abstract class NextVersionContract extends StoreContract {
    /** Adds a column and an index, and rewrites the rows that are there. Each statement may be run again, as all must. */
    static final String NEXT = """
            ALTER TABLE postroom_archive ADD COLUMN IF NOT EXISTS priority integer;
            ALTER TABLE postroom_message ADD COLUMN IF NOT EXISTS priority integer DEFAULT 0 NOT NULL;
            UPDATE postroom_message SET priority = 7 WHERE topic = 'urgent';
            CREATE INDEX IF NOT EXISTS postroom_message_priority ON postroom_message (priority, seq);
            """;

    /** The same, with a mistake before its last statement. */
    private static final String BROKEN =
            NEXT.replace("CREATE INDEX", "INSERT INTO postroom_nowhere VALUES (1);\nCREATE INDEX");

    private DataSource dataSource;
    private Schema current;
    private Schema next;

    @BeforeEach
    void migrated() {
        dataSource = store.database().freshDatabase().owner();
        current = Store.open(dataSource, TableNames.DEFAULT).schema();
        next = next(NEXT);
    }

    private Schema next(String... scripts) {
        return store.database().schemaWith(dataSource, List.of(scripts));
    }

    private ThisVersion thisVersion() {
        current.migrate();
        return store.closing(new ThisVersion(dataSource));
    }

    @Test
    void code_of_this_version_works_on_while_another_node_migrates() {
        ThisVersion old = thisVersion();
        // Often enough for the driver and the server to keep the statements prepared.
        IntStream.range(0, 7).forEach(i -> old.work());
        List<Published> published = old.publish(
                Message.to("urgent").key("1"),
                Message.to("urgent").key("2"),
                Message.to("usual").key("3"));
        List<StoredMessage> underWay = old.reader().readExactly(3);
        old.publish(Message.to("urgent").deliverAfter(Duration.ofHours(1)));

        assertThat(next.migrate()).containsExactly(next.target());

        assertThat(old.reader().read()).as("rewritten rows are not new").isEmpty();
        assertThat(old.relay().succeed(underWay.get(0)).left()).isEqualTo(1);
        assertThat(old.relay().fail(underWay.get(1), Duration.ofHours(1)).stale())
                .as("rewriting a row is not an operator's change")
                .isEmpty();
        assertThat(old.relay().succeed(underWay.get(2)).left()).isEqualTo(1);
        old.reader().forget(underWay);
        assertThat(old.statusOf(published.get(0).id())).isEqualTo(MessageStatus.PROCESSED);
        IntStream.range(0, 2).forEach(i -> old.work());
        current.check();
        assertThat(current.migrate()).isEmpty();
        changed(2);
    }

    @Test
    void code_of_this_version_delivers_what_the_next_one_wrote() {
        ThisVersion old = thisVersion();
        next.migrate();
        next.check();
        Sql.update(
                dataSource,
                "INSERT INTO postroom_message (topic, ordering_key, priority, payload) VALUES ('urgent', 'k', 3, "
                        + store.kind().noBytes() + ")");
        List<StoredMessage> rows = old.reader().readExactly(1);
        assertThat(rows.get(0).stream().key()).isEqualTo("k");
        assertThat(old.relay().succeed(rows.get(0)).left()).isEqualTo(1);
        assertThat(old.statusOf(rows.get(0).key().id())).isEqualTo(MessageStatus.PROCESSED);
    }

    @Test
    void each_version_accepts_its_neighbours_and_no_other() {
        current.migrate();
        next.check();
        Schema afterNext = next(NEXT, "CREATE TABLE postroom_more (id integer);\n");
        assertThatThrownBy(afterNext::check)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("of version " + current.target())
                .hasMessageContaining("needs at least " + next.target())
                .hasMessageContaining("migrate");
        assertThat(afterNext.migrate()).containsExactly(next.target(), afterNext.target());
        next.check();
        assertThatThrownBy(current::check)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("of version " + afterNext.target())
                .hasMessageContaining("newer");
    }

    @Test
    void nodes_of_both_versions_that_migrate_at_once_apply_each_script_once() throws Exception {
        List<Schema> nodes = List.of(
                current,
                next,
                next(NEXT),
                Store.open(dataSource, TableNames.DEFAULT).schema());
        List<Integer> applied = new ArrayList<>();
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(nodes.size());
            List<Future<List<Integer>>> results = new ArrayList<>();
            for (Schema node : nodes) {
                results.add(background.run(() -> {
                    together.await(30, SECONDS);
                    return node.migrate();
                }));
            }
            for (Future<List<Integer>> result : results) {
                applied.addAll(result.get(90, SECONDS));
            }
        }
        assertThat(applied)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, next.target()).boxed().toList());
        changed(0);
        thisVersion().work();
    }

    @Test
    void migration_that_fails_half_way_leaves_tables_to_work_with_and_can_be_run_again() {
        ThisVersion old = thisVersion();
        old.publish(Message.to("urgent").deliverAfter(Duration.ofHours(1)));
        boolean undone = store.kind() == Kind.POSTGRESQL;
        assertThatThrownBy(() -> next(BROKEN).migrate())
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("postroom_nowhere")
                .hasMessageContaining(undone ? "nothing was changed" : "goes on from there");
        assertThat(next.current()).isEqualTo(current.target());
        next.check();
        assertThat(hasColumn()).isEqualTo(!undone);
        old.work();

        assertThat(next.migrate()).containsExactly(next.target());
        changed(1);
        old.work();
    }

    @Test
    void migration_whose_node_dies_can_be_run_again_by_another() throws Exception {
        ThisVersion old = thisVersion();
        List<Published> written = old.write(Message.to("urgent").key("k"));
        try (Background background = new Background()) {
            Future<List<Integer>> migration = background.run(next::migrate);
            Awaitility.await("a migration that waits for the writer")
                    .atMost(Duration.ofSeconds(30))
                    .pollDelay(Duration.ZERO)
                    .until(() -> store.kind().endWaitingMigration(dataSource) || migration.isDone());
            assertThatThrownBy(() -> migration.get(60, SECONDS))
                    .cause()
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageContaining("could not migrate")
                    .as("the cause, not what failed after it")
                    .hasMessageNotContaining("closed");
        }
        assertThat(next.current()).isEqualTo(current.target());
        old.commit();
        assertThat(ids(old.reader().readExactly(1)))
                .containsExactly(written.get(0).id());

        assertThat(next(NEXT).migrate()).containsExactly(next.target());
        changed(1);
        old.work();
    }

    @Test
    void printed_script_has_only_what_is_missing_and_runs_as_it_stands() {
        ThisVersion old = thisVersion();
        String script = next.script(current.target());
        assertThat(script).contains("priority").doesNotContain("CREATE TABLE");
        new ScriptRunner(store.kind()).run(dataSource, script);
        assertThat(next.current()).isEqualTo(next.target());
        assertThat(next.migrate()).isEmpty();
        changed(0);
        old.work();
    }

    private boolean hasColumn() {
        try {
            Sql.value(dataSource, "SELECT count(priority) FROM postroom_message");
            return true;
        } catch (DatabaseException e) {
            return false;
        }
    }

    /** Everything that the script does was done. */
    private void changed(int rewritten) {
        assertThat(next.current()).isEqualTo(next.target());
        assertThat(Sql.value(dataSource, "SELECT count(*) FROM postroom_message WHERE priority = 7"))
                .isEqualTo(Integer.toString(rewritten));
        Sql.value(dataSource, "SELECT count(priority) FROM postroom_archive");
        assertThatThrownBy(() ->
                        Sql.update(dataSource, "CREATE INDEX postroom_message_priority ON postroom_message (priority)"))
                .isInstanceOf(DatabaseException.class);
    }
}
