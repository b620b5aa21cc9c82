package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.Published;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.Change;
import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.Operations;
import dev.postroom.operations.RoutingText;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.LaneStore.NodeReport;
import dev.postroom.spi.LaneStore.Reservation;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.TableNames;
import dev.postroom.testkit.contract.DatabaseUnderTest.FreshDatabase;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The grants that are printed for a role are enough for what it does, under a real user, and for nothing else. */
@Tag("R58")
public abstract class GrantsContract extends StoreContract {
    private static final Duration LEASE = Duration.ofMinutes(1);

    @Test
    void a_writer_can_publish_and_nothing_else() {
        FreshDatabase database = migrated();
        DataSource writer = grant(database, "writer");
        Outbox outbox = Outbox.on(writer);
        Published published = outbox.publishInOwnTransaction(
                Message.to("orders").key("k").idempotencyKey("i").header("a", "b"));
        assertThat(outbox.publishInOwnTransaction(Message.to("orders").idempotencyKey("i")))
                .isEqualTo(again(published));
        outbox.publishInOwnTransaction(Message.to("orders").deliverAfter(Duration.ofHours(1)));
        Message given = Message.to("orders").id(UUID.randomUUID());
        assertThat(outbox.publishInOwnTransaction(given).alreadyExisted()).isFalse();
        assertThat(outbox.publishInOwnTransaction(given).alreadyExisted()).isTrue();

        for (String forbidden : List.of(
                "SELECT payload FROM postroom_message",
                "UPDATE postroom_message SET attempts = 1",
                "DELETE FROM postroom_message",
                "DELETE FROM postroom_dedup",
                "SELECT payload FROM postroom_archive",
                "SELECT count(*) FROM postroom_readable",
                "SELECT count(*) FROM postroom_audit",
                "UPDATE postroom_lane SET epoch = 7",
                "INSERT INTO postroom_pause (actor, reason) VALUES ('x', 'x')",
                "INSERT INTO postroom_audit (actor, action, target, reason, changed) VALUES ('x', 'x', 'x', 'x', 1)",
                "CREATE TABLE stray (id integer)",
                "DROP TABLE postroom_message")) {
            assertThatThrownBy(() -> Sql.update(writer, forbidden))
                    .as(forbidden)
                    .isInstanceOf(DatabaseException.class);
        }
        assertThat(Sql.value(database.owner(), "SELECT count(*) FROM postroom_message"))
                .isEqualTo("3");
    }

    @Test
    void a_writer_cannot_drop_the_archive_with_its_owners_rights() {
        FreshDatabase database = migrated();
        DataSource writer = grant(database, "writer");
        if (store.kind() == Kind.POSTGRESQL) {
            for (String call :
                    List.of("SELECT postroom_archive_drop(interval '-30 days')", "SELECT postroom_archive_prepare()")) {
                assertThatThrownBy(() -> Sql.update(writer, call)).as(call).isInstanceOf(DatabaseException.class);
            }
        } else {
            assertThatThrownBy(() -> Sql.update(writer, "DELETE FROM postroom_archive"))
                    .isInstanceOf(DatabaseException.class);
        }
    }

    @Test
    @Tag("R40")
    void a_consumer_can_remember_what_it_handled_and_nothing_else() {
        FreshDatabase database = migrated();
        DataSource consumer = grant(database, "consumer");
        Inbox inbox = Inbox.on(consumer);
        assertThat(inbox.handleOnce("billing", "m1", tx -> {})).isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce("billing", "m1", tx -> {})).isEqualTo(Handling.DUPLICATE);

        for (String forbidden : List.of(
                "DELETE FROM postroom_inbox",
                "SELECT count(*) FROM postroom_message",
                "INSERT INTO postroom_message (topic) VALUES ('x')",
                "DROP TABLE postroom_inbox")) {
            assertThatThrownBy(() -> Sql.update(consumer, forbidden))
                    .as(forbidden)
                    .isInstanceOf(DatabaseException.class);
        }
        assertThatThrownBy(() -> Inbox.on(grant(database, "writer")))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("migrate --grants consumer");
    }

    @Test
    void a_relay_can_read_settle_operate_and_clean_up() {
        FreshDatabase database = migrated();
        Store used = Store.open(grant(database, "relay"), TableNames.DEFAULT);
        Outbox owner = Outbox.on(database.owner());
        for (int i = 0; i < 4; i++) {
            owner.publishInOwnTransaction(Message.to("orders").key("k" + i).idempotencyKey("i" + i));
        }
        used.schema().check();
        used.checkWritable();
        TestRelay relay = new TestRelay("r", store.closing(used.openLanes()), store.closing(used.openSettler()));
        relay.lanes()
                .report(new NodeReport(
                        "r", "host", "1", "{}", new RoutingText("** -> kafka (block)"), LEASE, Duration.ZERO));
        relay.acquire(ALL_LANES);
        assertThat(relay.lanes().lanes()).hasSize(64);
        assertThat(relay.lanes().renew("r", LEASE)).hasSize(64);
        relay.lanes().reserve("r", List.of(new Reservation(1, relay.lease(1).epoch(), 1, 2)));
        assertThat(relay.lanes().liveNodes(LEASE)).hasSize(1);
        relay.lanes().destinations(List.of("kafka"));
        List<StoredMessage> rows = store.readerOf(used).readAll();
        assertThat(rows).hasSize(4);
        relay.succeed(rows.get(0));
        relay.fail(rows.get(1), Duration.ZERO);
        relay.bury(rows.get(2));
        relay.bury(rows.get(3));

        Operations operator = Operations.as("me", used.operations(), used.maintenance());
        UUID dead = rows.get(2).key().id();
        operator.change(Change.RETRY, List.of(dead), "x");
        operator.change(Change.SKIP, List.of(dead), "x");
        operator.change(Change.DELETE, List.of(rows.get(3).key().id()), "x");
        operator.pause(dev.postroom.operations.Pause.Target.EVERYTHING, "x");
        operator.resume(dev.postroom.operations.Pause.Target.EVERYTHING, "x");
        operator.stats();
        operator.replay(
                new dev.postroom.operations.ReplayRequest(null, "orders", null, null, null, "kafka", null),
                10,
                "x",
                progress -> {});
        assertThat(operator.audit(0, 10)).hasSize(6);
        operator.dryRunErase(ErasureRequest.ofKey(null, "k0"));
        operator.erase(ErasureRequest.ofKey(null, "k0"), "x", erased -> {});
        used.maintenance().prepareArchive();
        operator.purge(Duration.ofDays(1), "x", progress -> {});
        used.maintenance().purgeInbox(LEASE, 10);
        used.maintenance().purgeNodes(LEASE, 10);
        used.maintenance().purgeRoutings(Duration.ZERO, 0);
        used.maintenance().purgeAudit(Maintenance.LEAST_AUDIT_AGE, 10);
        relay.lanes().leave("r");
    }

    @Test
    void a_relay_can_neither_forge_nor_forget_what_is_in_the_audit() {
        FreshDatabase database = migrated();
        DataSource relay = grant(database, "relay");
        Store used = Store.open(relay, TableNames.DEFAULT);
        Operations.as("me", used.operations(), used.maintenance())
                .pause(dev.postroom.operations.Pause.Target.EVERYTHING, "x");

        String purge = store.kind() == Kind.POSTGRESQL
                ? "SELECT postroom_audit_purge(interval '29 days', 10)"
                : "CALL postroom_audit_purge(29 * 86400, 10)";
        for (String forbidden : List.of(
                purge,
                "DELETE FROM postroom_audit",
                "UPDATE postroom_audit SET actor = 'somebody else'",
                "INSERT INTO postroom_audit (at, actor, action, target, reason, changed)"
                        + " VALUES (CURRENT_TIMESTAMP, 'x', 'x', 'x', 'x', 1)",
                "INSERT INTO postroom_audit (db_user, actor, action, target, reason, changed)"
                        + " VALUES ('x', 'x', 'x', 'x', 'x', 1)")) {
            assertThatThrownBy(() -> Sql.update(relay, forbidden)).as(forbidden).isInstanceOf(DatabaseException.class);
        }
        assertThat(Sql.value(database.owner(), "SELECT db_user FROM postroom_audit"))
                .startsWith("relay_");
        Sql.update(database.owner(), "UPDATE postroom_audit SET at = at - interval '31' day");
        assertThat(used.maintenance().purgeAudit(Maintenance.LEAST_AUDIT_AGE, 10))
                .isEqualTo(1);
    }

    @Test
    void a_migrator_can_migrate_an_empty_database() {
        FreshDatabase database = store.database().freshDatabase();
        DataSource migrator = grant(database, "migrator");
        Store migrating = Store.open(migrator, TableNames.DEFAULT);
        assertThat(migrating.schema().migrate()).isNotEmpty();
        migrating.schema().check();
        assertThat(Outbox.on(migrator)
                        .publishInOwnTransaction(Message.to("orders"))
                        .alreadyExisted())
                .isFalse();
    }

    @Test
    void a_user_without_grants_is_told_so() {
        FreshDatabase database = migrated();
        DataSource nobody = user(database, "nobody");
        assertThatThrownBy(() -> Outbox.on(nobody)).isInstanceOf(PostroomException.class);
    }

    @Test
    void hostile_grantees_and_unknown_roles_are_refused() {
        for (String hostile : List.of("x; DROP TABLE y", "a'b", "a\"b", "", "a b")) {
            assertThatThrownBy(() -> store.store().schema().grants("writer", hostile))
                    .as(hostile)
                    .isInstanceOf(PostroomException.class);
        }
        assertThatThrownBy(() -> store.store().schema().grants("king", "somebody"))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("writer, consumer, relay or migrator");
    }

    private FreshDatabase migrated() {
        FreshDatabase database = store.database().freshDatabase();
        Store.open(database.owner(), TableNames.DEFAULT).schema().migrate();
        return database;
    }

    /** A new user with the grants of the role, and nothing else. */
    private DataSource grant(FreshDatabase database, String role) {
        String name = role + "_" + UUID.randomUUID().toString().substring(0, 8);
        DataSource user = user(database, name);
        String grants =
                Store.open(database.owner(), TableNames.DEFAULT).schema().grants(role, name);
        new ScriptRunner(store.kind()).run(database.owner(), grants);
        return user;
    }

    private DataSource user(FreshDatabase database, String name) {
        String unique = name.contains("_")
                ? name
                : name + "_" + UUID.randomUUID().toString().substring(0, 8);
        if (store.kind() == Kind.POSTGRESQL) {
            Sql.update(database.owner(), "CREATE ROLE " + unique + " LOGIN PASSWORD 'pw'");
            Sql.update(database.owner(), "REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        } else {
            Sql.update(database.owner(), "CREATE USER " + unique + " IDENTIFIED BY 'pw'");
            // Without any right in the database, MariaDB lets nobody connect to it.
            Sql.update(database.owner(), "GRANT USAGE ON " + database.name() + ".* TO " + unique);
        }
        return database.user(unique, "pw");
    }
}
