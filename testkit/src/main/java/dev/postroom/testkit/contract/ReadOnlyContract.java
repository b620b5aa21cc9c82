package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testkit.contract.DatabaseUnderTest.FreshDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A database that cannot be written to is refused with what to do. A setting stands in for a replica, which the tests
 * do not have: PostgreSQL's {@code default_transaction_read_only}.
 */
@Tag("R58")
public abstract class ReadOnlyContract extends StoreContract {

    @Test
    void a_database_that_is_read_only_is_refused_with_what_to_do() {
        FreshDatabase database = store.database().freshDatabase();
        Store.open(database.owner(), TableNames.DEFAULT).schema().migrate();
        Sql.update(database.owner(), "ALTER DATABASE " + database.name() + " SET default_transaction_read_only = on");
        assertThatThrownBy(
                        () -> Store.open(database.owner(), TableNames.DEFAULT).checkWritable())
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("read-only")
                .hasMessageContaining("postroom.database.url");
        assertThatThrownBy(() -> Outbox.on(database.owner())).hasMessageContaining("read-only");
        store.store().checkWritable();
    }
}
