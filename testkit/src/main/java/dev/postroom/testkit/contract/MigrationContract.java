package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.SchemaException;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema comes about once, whoever starts it, and says what to do when it is not as it should be. */
@Tag("R58")
public abstract class MigrationContract extends StoreContract {

    @Test
    void migrating_makes_a_usable_schema_and_again_does_nothing() {
        DataSource fresh = store.database().freshDatabase().owner();
        Schema schema = Store.open(fresh, TableNames.DEFAULT).schema();
        assertThat(schema.current()).isZero();
        assertThat(schema.migrate())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, schema.target()).boxed().toList());
        assertThat(schema.current()).isEqualTo(schema.target());
        schema.check();
        assertThat(schema.migrate()).isEmpty();
        usable(fresh, TableNames.DEFAULT);
    }

    @Test
    void ten_nodes_that_migrate_at_once_migrate_once() throws Exception {
        DataSource fresh = store.database().freshDatabase().owner();
        int nodes = 10;
        try (Background background = new Background()) {
            CyclicBarrier together = new CyclicBarrier(nodes);
            List<Future<List<Integer>>> results = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                Schema schema = Store.open(fresh, TableNames.DEFAULT).schema();
                results.add(background.run(() -> {
                    together.await(30, SECONDS);
                    return schema.migrate();
                }));
            }
            List<Integer> applied = new ArrayList<>();
            for (Future<List<Integer>> result : results) {
                applied.addAll(result.get(90, SECONDS));
            }
            assertThat(applied).doesNotHaveDuplicates().contains(1);
        }
        usable(fresh, TableNames.DEFAULT);
    }

    @Test
    void a_missing_schema_is_named_with_what_to_do() {
        DataSource fresh = store.database().freshDatabase().owner();
        assertThatThrownBy(() -> Outbox.on(fresh))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("postroom_")
                .hasMessageContaining("migrate");
        assertThatThrownBy(() -> Outbox.configure(fresh).tablePrefix("other_").build())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("other_");
    }

    @Test
    void a_schema_from_the_future_is_refused_and_left_as_it_is() {
        DataSource fresh = store.database().freshDatabase().owner();
        Schema schema = Store.open(fresh, TableNames.DEFAULT).schema();
        schema.migrate();
        int future = schema.target() + 2;
        Sql.update(fresh, "INSERT INTO postroom_schema (version, script) VALUES (" + future + ", 'V999__later.sql')");
        assertThat(schema.current()).isEqualTo(future);
        for (Runnable use : List.<Runnable>of(schema::check, schema::migrate, () -> Outbox.on(fresh))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining(Integer.toString(future))
                    .hasMessageContaining("newer");
        }
        assertThat(schema.current()).isEqualTo(future);
    }

    @Test
    void one_version_ahead_still_works_for_a_rolling_deployment() {
        DataSource fresh = store.database().freshDatabase().owner();
        Schema schema = Store.open(fresh, TableNames.DEFAULT).schema();
        schema.migrate();
        Sql.update(
                fresh,
                "INSERT INTO postroom_schema (version, script) VALUES (" + (schema.target() + 1)
                        + ", 'V999__next.sql')");
        schema.check();
        usable(fresh, TableNames.DEFAULT);
    }

    @Test
    void the_printed_script_run_as_it_stands_makes_a_usable_schema() {
        for (String prefix : List.of("postroom_", "mine_")) {
            DataSource fresh = store.database().freshDatabase().owner();
            TableNames names = new TableNames(null, prefix);
            Schema schema = Store.open(fresh, names).schema();
            String script = schema.script(0);
            assertThat(schema.current()).as("printing changes nothing").isZero();
            new ScriptRunner(store.kind()).run(fresh, script);

            assertThat(schema.current()).isEqualTo(schema.target());
            assertThat(schema.migrate()).isEmpty();
            usable(fresh, names);
        }
    }

    @Test
    void nothing_is_to_be_printed_for_a_current_schema() {
        Schema schema = store.store().schema();
        assertThat(schema.script(schema.target()).lines().filter(line -> line.startsWith("CREATE")))
                .isEmpty();
    }

    @Test
    void a_prefix_changes_every_name() {
        DataSource fresh = store.database().freshDatabase().owner();
        Schema schema = Store.open(fresh, new TableNames(null, "zz_")).schema();
        assertThat(schema.script(0)
                        .lines()
                        .filter(line -> !line.startsWith("--"))
                        .filter(line -> line.contains("postroom_")))
                .isEmpty();
    }

    @Test
    void an_unreachable_database_is_named_with_what_to_check_and_without_the_password() {
        assertThatThrownBy(() -> Outbox.on(store.database().unreachable()))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("cannot connect")
                .hasMessageContaining("settings of the data source")
                .hasMessageNotContaining("s3cret");
    }

    private void usable(DataSource dataSource, TableNames names) {
        Outbox outbox = Outbox.configure(dataSource).tablePrefix(names.prefix()).build();
        Published published = outbox.publishInOwnTransaction(
                Message.to("orders").key("k").idempotencyKey("i").header("a", "b"));
        assertThat(outbox.publishInOwnTransaction(Message.to("orders").idempotencyKey("i")))
                .isEqualTo(again(published));
        Store used = outbox.store();
        TestRelay relay = new TestRelay("r", store.closing(used.openLanes()), store.closing(used.openSettler()))
                .acquire(ALL_LANES);
        List<StoredMessage> rows = store.readerOf(used).readAll();
        assertThat(ids(rows)).containsExactly(published.id());
        assertThat(relay.succeed(rows.get(0)).left()).isEqualTo(1);
        assertThat(used.operations().find(published.id(), Integer.MAX_VALUE)).isPresent();
    }
}
