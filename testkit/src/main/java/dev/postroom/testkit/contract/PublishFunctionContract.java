package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.spi.StoredMessage;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The idempotent publish that PostgreSQL and MariaDB give to writers in any language. */
@Tag("R13")
@Tag("R5")
public abstract class PublishFunctionContract extends StoreContract {
    private static final byte[] PAYLOAD = "{\"id\":7}".getBytes(StandardCharsets.UTF_8);

    @Test
    void it_writes_a_message() throws SQLException {
        Result result = inTransaction(null);
        List<StoredMessage> rows = reader().readAll();
        assertThat(ids(rows)).containsExactly(result.id());
        assertThat(result.alreadyExisted()).isFalse();
        assertThat(rows.get(0).stream()).isEqualTo(new Stream("", "orders", "k"));
        assertThat(rows.get(0).content().payload()).isEqualTo(PAYLOAD);
        assertThat(rows.get(0).content().contentType()).isEqualTo("application/json");
    }

    @Test
    void null_is_the_default_of_every_argument_that_has_one() throws SQLException {
        Result first;
        try (Tx tx = begin()) {
            first = callWithNulls(tx.connection());
            tx.commit();
        }
        assertThat(inTransaction("once")).isEqualTo(new Result(first.id(), true));
        StoredMessage row = reader().readAll().get(0);
        assertThat(row.key().id()).isEqualTo(first.id());
        assertThat(row.stream()).isEqualTo(new Stream("", "orders", null));
        assertThat(row.content().contentType()).isEqualTo("application/json");
        assertThat(row.content().headers()).isEmpty();
        assertThat(publish(Message.to("orders").idempotencyKey("once")).alreadyExisted())
                .isTrue();
    }

    @Test
    void a_stream_that_it_writes_is_in_the_lane_of_the_outbox() throws SQLException {
        inTransaction(null);
        int lane = publish(Message.to("orders").key("k")).lane();
        assertThat(reader().readAll())
                .hasSize(2)
                .allSatisfy(row -> assertThat(row.key().lane()).isEqualTo(lane));
    }

    @Test
    void the_second_call_with_a_key_names_the_first_message() throws SQLException {
        Result first = inTransaction("once");
        Result second = inTransaction("once");
        assertThat(second).isEqualTo(new Result(first.id(), true));
        assertThat(count("postroom_message")).isEqualTo(1);
    }

    @Test
    void it_shares_its_keys_with_the_outbox() throws SQLException {
        Published ours = publish(Message.to("orders").idempotencyKey("ours"));
        assertThat(inTransaction("ours")).isEqualTo(new Result(ours.id(), true));
        Result theirs = inTransaction("theirs");
        assertThat(publish(Message.to("orders").idempotencyKey("theirs")))
                .isEqualTo(Published.existing(theirs.id(), "theirs"));
        assertThat(publish(Message.to("orders").idempotencyKey("theirs")))
                .isEqualTo(Published.existing(theirs.id(), "theirs"));
    }

    @Test
    void a_rollback_undoes_it_and_frees_the_key() throws SQLException {
        Tx tx = begin();
        call(tx.connection(), "k");
        tx.rollback();
        assertThat(count("postroom_message")).isZero();
        assertThat(inTransaction("k").alreadyExisted()).isFalse();
    }

    @Test
    void the_second_of_two_at_once_waits_for_the_first() throws Exception {
        try (Background background = new Background()) {
            Tx first = begin();
            Result written = call(first.connection(), "k");
            Tx second = begin();
            Future<Result> waiting = background.run(() -> call(second.connection(), "k"));
            store.awaitLockWait(waiting);
            first.commit();
            assertThat(waiting.get(30, SECONDS)).isEqualTo(new Result(written.id(), true));
            second.commit();
        }
        assertThat(count("postroom_message")).isEqualTo(1);
    }

    @Test
    @Tag("R60")
    void of_those_who_wait_for_a_key_one_writes_and_none_is_broken_when_the_first_rolls_back() throws Exception {
        for (Takers takers : Takers.atEachLevel(store).toList()) {
            String key = takers.level().name();
            List<Result> results = takers.afterRollback(tx -> call(tx.connection(), key));
            assertThat(results).as(key).filteredOn(one -> !one.alreadyExisted()).hasSize(1);
            assertThat(results.stream().map(Result::id).distinct()).as(key).hasSize(1);
        }
        assertThat(count("postroom_message"))
                .isEqualTo(Takers.atEachLevel(store).count());
    }

    private record Result(UUID id, boolean alreadyExisted) {}

    private Result inTransaction(@org.jspecify.annotations.Nullable String key) throws SQLException {
        try (Tx tx = begin()) {
            Result result = call(tx.connection(), key);
            tx.commit();
            return result;
        }
    }

    private Result call(Connection connection, @org.jspecify.annotations.Nullable String key) throws SQLException {
        return store.kind() == Kind.POSTGRESQL
                ? callFunction(connection, "topic => 'orders', payload => ?, key => 'k', idempotency_key => ?", key)
                : callProcedure(connection, "'orders', ?, 'k', NULL, NULL, ?, NULL, NULL, NULL, NULL, NULL", key);
    }

    private Result callWithNulls(Connection connection) throws SQLException {
        if (store.kind() != Kind.POSTGRESQL) {
            return callProcedure(connection, "'orders', ?, NULL, NULL, NULL, ?, NULL, NULL, NULL, NULL, NULL", "once");
        }
        return callFunction(
                connection,
                "topic => 'orders', payload => ?, idempotency_key => ?, key => NULL, type => NULL, tenant => NULL,"
                        + " headers => NULL, content_type => NULL, available_at => NULL, source => NULL,"
                        + " dedup_window => NULL",
                "once");
    }

    private Result callFunction(Connection connection, String arguments, @org.jspecify.annotations.Nullable String key)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                store.sql("SELECT id, already_existed FROM postroom_publish(" + arguments + ")"))) {
            statement.setBytes(1, PAYLOAD);
            statement.setString(2, key);
            try (ResultSet row = statement.executeQuery()) {
                assertThat(row.next()).isTrue();
                return new Result(row.getObject(1, UUID.class), row.getBoolean(2));
            }
        }
    }

    private Result callProcedure(Connection connection, String arguments, @org.jspecify.annotations.Nullable String key)
            throws SQLException {
        try (CallableStatement statement =
                connection.prepareCall(store.sql("{CALL postroom_publish(" + arguments + ", ?, ?)}"))) {
            statement.setBytes(1, PAYLOAD);
            statement.setString(2, key);
            statement.registerOutParameter(3, Types.VARCHAR);
            statement.registerOutParameter(4, Types.BOOLEAN);
            statement.execute();
            return new Result(UUID.fromString(statement.getString(3)), statement.getBoolean(4));
        }
    }
}
