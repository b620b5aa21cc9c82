package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Schemas that are out there: {@code released/<database>-V001.sql} on the test class path is what was printed for
 * version 1. A new version adds a file, and its upgrade from each older one is tested here.
 */
@Tag("R58")
public abstract class ReleasedVersionsContract extends StoreContract {

    @Test
    void a_released_migration_is_never_edited() {
        String printed =
                Store.open(store.dataSource(), TableNames.DEFAULT).schema().script(0);
        String released = released(1);
        assertThat(printed)
                .as("version 1 is out there: add a migration instead. (Before the first release: migrate --print)")
                .startsWith(released);
        assertThat(released).contains("CREATE TABLE");
    }

    @Test
    void a_schema_of_version_1_is_brought_up_to_date() {
        DataSource fresh = store.database().freshDatabase().owner();
        new ScriptRunner(store.kind()).run(fresh, released(1));
        Schema schema = Store.open(fresh, TableNames.DEFAULT).schema();
        assertThat(schema.current()).isEqualTo(1);
        schema.migrate();
        assertThat(schema.current()).isEqualTo(schema.target());
        Outbox.on(fresh).publishInOwnTransaction(Message.to("orders").idempotencyKey("k"));
    }

    @Test
    void a_schema_of_version_1_with_a_message_in_it_is_brought_to_a_version_to_come() {
        DataSource fresh = store.database().freshDatabase().owner();
        new ScriptRunner(store.kind()).run(fresh, released(1));
        Sql.update(
                fresh,
                "INSERT INTO postroom_message (topic, payload) VALUES ('urgent', "
                        + store.kind().noBytes() + ")");
        Schema later = store.database().schemaWith(fresh, List.of(NextVersionContract.NEXT));
        assertThat(later.migrate())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(2, later.target()).boxed().toList());
        assertThat(Sql.value(fresh, "SELECT priority FROM postroom_message")).isEqualTo("7");
        ThisVersion node = store.closing(new ThisVersion(fresh));
        assertThat(node.relay().succeed(node.reader().readExactly(1).get(0)).left())
                .isEqualTo(1);
    }

    private String released(int version) {
        String path = "/released/" + store.kind().name().toLowerCase(Locale.ROOT)
                + String.format(Locale.ROOT, "-V%03d.sql", version);
        try (InputStream in = ReleasedVersionsContract.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new AssertionError("missing from the test class path: " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
