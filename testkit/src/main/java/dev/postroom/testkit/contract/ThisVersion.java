package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * A process with code of this version: an application that publishes, a relay and an operator, each with a connection that it
 * opened once, as a pool's are, so that statements that were prepared before a migration are used after it.
 */
final class ThisVersion implements AutoCloseable {
    private final Store store;
    private final Outbox outbox;
    private final Connection application;
    private final TestRelay relay;
    private final FollowReader port;
    private final ReferenceReader reader;
    private int round;

    ThisVersion(DataSource dataSource) {
        outbox = Outbox.on(dataSource);
        store = outbox.store();
        relay = new TestRelay("this", store.openLanes(), store.openSettler()).acquire(StoreContract.ALL_LANES);
        port = store.openFollowReader(Owing.EVERYWHERE);
        reader = new ReferenceReader(port, StoreContract.ALL_LANES);
        try {
            application = dataSource.getConnection();
            application.setAutoCommit(false);
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
    }

    TestRelay relay() {
        return relay;
    }

    ReferenceReader reader() {
        return reader;
    }

    /** Due now, from the beginning. */
    List<StoredMessage> due() {
        return new DueReader(port).readAll();
    }

    Operations operator() {
        return Operations.as("operator", store.operations(), store.maintenance());
    }

    /** Writes the messages and leaves the transaction open. */
    List<Published> write(Message... messages) {
        return outbox.publishAll(application, List.of(messages));
    }

    void commit() {
        try {
            application.commit();
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
    }

    List<Published> publish(Message... messages) {
        List<Published> published = write(messages);
        commit();
        return published;
    }

    /** A round of everything that a deployment needs of it: write, read, deliver, fail, bury, retry and keep. */
    void work() {
        String key = "round " + ++round;
        List<Published> published = publish(
                Message.to("orders").key(key).idempotencyKey(key),
                Message.to("orders").key(key),
                Message.to("orders").key(key),
                Message.to("orders").key(key).idempotencyKey(key));
        assertThat(published.get(3)).isEqualTo(StoreContract.again(published.get(0)));

        List<StoredMessage> rows = reader.readExactly(3);
        assertThat(StoreContract.ids(rows)).containsExactly(StoreContract.idsOf(published.subList(0, 3)));
        reader.forget(rows);
        assertThat(relay.succeed(rows.get(0)).left()).isEqualTo(1);
        assertThat(relay.fail(rows.get(1), Duration.ZERO).stale()).isEmpty();
        assertThat(relay.bury(rows.get(2)).stale()).isEmpty();
        deliverDue(rows.get(1));
        assertThat(operator().change(Change.RETRY, List.of(rows.get(2).key().id()), "again"))
                .extracting(ActionResult::changed)
                .isEqualTo(1L);
        deliverDue(rows.get(2));

        for (StoredMessage row : rows) {
            assertThat(statusOf(row.key().id())).isEqualTo(MessageStatus.PROCESSED);
        }
    }

    private void deliverDue(StoredMessage expected) {
        List<StoredMessage> due = due();
        assertThat(StoreContract.ids(due)).containsExactly(expected.key().id());
        assertThat(relay.succeed(due.get(0)).left()).isEqualTo(1);
    }

    MessageStatus statusOf(UUID id) {
        return operator().find(id).map(MessageDetail::item).orElseThrow().status();
    }

    @Override
    public void close() throws SQLException {
        application.rollback();
        application.close();
        relay.settler().close();
        relay.lanes().close();
        port.close();
    }
}
