package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.SchemaException;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dump brings lanes along that another platform or encoding may compute differently. */
@Tag("R22")
@Tag("R58")
class RestoredLanesTest {
    private final TestDatabase database = Postgres.newest().freshDatabase();
    private final Schema schema =
            Store.open(database.dataSource(), TableNames.DEFAULT).schema();

    @BeforeEach
    void create() {
        schema.migrate();
        Outbox outbox = Outbox.on(database.dataSource());
        for (int i = 0; i < 10; i++) {
            outbox.publishInOwnTransaction(Message.to("orders").key("k" + i));
        }
    }

    @Test
    void lanes_that_this_server_computes_are_left_alone() throws SQLException {
        schema.checkLanes();
        execute("CREATE TABLE before AS SELECT id, lane, xmin::text AS written FROM postroom_message");
        assertThat(schema.migrate()).isEmpty();
        assertThat(
                        count(
                                "postroom_message m JOIN before b ON b.id = m.id AND b.lane = m.lane AND b.written = m.xmin::text"))
                .isEqualTo(10);
    }

    @Test
    void no_relay_starts_before_migrate_has_computed_other_lanes_again() throws SQLException {
        restoreFromElsewhere();
        assertThatThrownBy(schema::checkLanes)
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("migrate");
        assertThatThrownBy(() -> Relay.on(database.dataSource())
                        .deliverTo((delivery, outcome) -> outcome.accept(Outcome.confirmed()))
                        .start())
                .hasMessageContaining("migrate");

        schema.migrate();

        schema.checkLanes();
        assertThat(count("postroom_message WHERE stream <> postroom_stream_of(tenant, ordering_key)"
                        + " OR lane <> postroom_lane_of(tenant, stream, id)"))
                .isZero();
    }

    /** A dump is loaded before there are triggers. */
    private void restoreFromElsewhere() throws SQLException {
        execute("ALTER TABLE postroom_message DISABLE TRIGGER ALL");
        execute("UPDATE postroom_message SET stream = stream # 1, lane = (lane + 1) % 64");
        execute("ALTER TABLE postroom_message ENABLE TRIGGER ALL");
        execute("UPDATE postroom_schema SET hashing = hashing # 1");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String rows) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + rows)) {
            row.next();
            return row.getLong(1);
        }
    }
}
