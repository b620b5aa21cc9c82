package dev.postroom.jdbc.stranger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.operations.RoutingText;
import dev.postroom.operations.Sight;
import dev.postroom.operations.Tenants;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where everybody may create in the schema of the tables, nobody's functions and operators are called but the server's and ours: not by
 * the superuser who migrates, not by writer, consumer and relay. The oldest PostgreSQL has such grants by default.
 */
@Tag("R58")
class StrangerOnThePathTest {
    private static final ReadBounds BOUNDS = new ReadBounds(RowLimits.ofPayload(Integer.MAX_VALUE), 1 << 20);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Instant LONG_AGO = Instant.parse("2001-01-01T00:00:00Z");
    private static final List<Integer> LANES =
            IntStream.range(0, LaneStore.LANES).boxed().toList();

    private static TestDatabase database;
    private static Stranger stranger;

    @BeforeAll
    static void create() throws SQLException {
        database = Postgres.oldest().freshDatabase();
        stranger = Stranger.in(database);
        open(database.dataSource()).schema().migrate();
    }

    @Test
    void migrating_writing_and_receiving_call_no_function_of_a_stranger() throws SQLException {
        Outbox outbox = Outbox.on(as("writer"));
        Message message = Message.to("orders")
                .tenant("acme")
                .key("k")
                .idempotencyKey("once")
                .header("a", "b");
        outbox.publishInOwnTransaction(message);
        outbox.publishInOwnTransaction(message);
        outbox.publishInOwnTransaction(Message.to("orders").deliverAfter(HOUR));
        outbox.publishInOwnTransaction(Message.to("orders").key("k").deliverAt(LONG_AGO));
        try (Connection connection = as("writer").getConnection();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 2; i++) {
                statement.execute("SELECT * FROM postroom_publish(topic => 'orders', payload => '', tenant => 'acme',"
                        + " key => 'k', idempotency_key => 'again')");
            }
            statement.execute("INSERT INTO postroom_message (tenant, topic, ordering_key, headers, payload)"
                    + " VALUES ('acme', 'orders', 'k', '{\"a\": \"b\"}', '')");
        }
        Inbox inbox = Inbox.on(as("consumer"));
        inbox.handleOnce("billing", "m1", tx -> {});
        inbox.handleOnce("billing", "m1", tx -> {});

        assertThat(stranger.calls()).isZero();
    }

    @Test
    void reading_and_settling_call_no_function_of_a_stranger() throws SQLException {
        Store store = open(as("relay"));
        publish(6);
        store.schema().check();
        store.checkWritable();
        try (LaneStore lanes = store.openLanes();
                FollowReader reader = store.openFollowReader(Owing.EVERYWHERE);
                MessageSettler settler = store.openSettler()) {
            List<LaneStore.Lease> leases = lanes.acquire("r", LANES, HOUR);
            lanes.lanes();
            lanes.renew("r", HOUR);
            lanes.reserve(
                    "r", List.of(new LaneStore.Reservation(1, leases.get(1).epoch(), 1, 2)));
            lanes.report(report("** -> kafka (block)"));
            try (LaneStore others = store.openLanes()) {
                others.report(report("** -> kafka (block)"));
            }
            lanes.liveNodes(HOUR);
            lanes.destinations(List.of("kafka"));

            PageAnswer.Page page = read(reader, null);
            List<FollowedMessage> read = page.ranges().stream()
                    .flatMap(range -> range.rows().stream())
                    .toList();
            List<StoredMessage> rows =
                    read.stream().map(FollowedMessage::message).toList();
            read(reader, page.next());
            reader.lateFloor(page.next(), page(page.next()).reaches(), 10);
            reader.pauses();
            reader.fetch(rows.stream().map(StoredMessage::key).toList(), BOUNDS);
            List<Long> streams = read.stream().map(FollowedMessage::stream).toList();
            reader.readStreams(
                    streams.stream().map(id -> StreamRead.Ask.all(id, 10)).toList(), BOUNDS);
            settler.suspect("r", List.of(new MessageSettler.Suspect(rows.get(5).key(), 0, 1, 1)));
            settler.settle(new MessageSettler.Batch(
                    "r",
                    List.of(success(rows.get(0), 1), success(rows.get(1), 3)),
                    List.of(failure(rows.get(2), Duration.ZERO), failure(rows.get(3), null)),
                    true,
                    List.of()));
            settler.settle(new MessageSettler.Batch("r", List.of(success(rows.get(4), 1)), List.of(), false, leases));
            reader.holders(streams);
            read(reader, page.next());
            lanes.release("r", lanes.acquire("r", LANES, HOUR));
            lanes.leave("r");
        }

        assertThat(stranger.calls()).isZero();
    }

    private static LaneStore.NodeReport report(String routes) {
        return new LaneStore.NodeReport(
                "r", "host", "1", "{}", new RoutingText(routes), Duration.ofSeconds(10), Duration.ZERO);
    }

    @Test
    void operating_and_cleaning_up_call_no_function_of_a_stranger() throws SQLException {
        Store store = open(as("relay"));
        Operations operations = Operations.as("alice", store.operations(), store.maintenance());
        List<UUID> ids = publish(8);
        operations.change(Change.DEAD_LETTER, ids.subList(0, 4), "x");
        for (MessageStatus status : MessageStatus.values()) {
            MessageFilter.Builder filter = MessageFilter.builder()
                    .status(status)
                    .tenant("acme")
                    .topic("orders")
                    .type("t")
                    .reason(FailureReason.TIMEOUT)
                    .minAttempts(1)
                    .hasError(true)
                    .createdAfter(LONG_AGO)
                    .createdBefore(LONG_AGO)
                    .text("x");
            operations.list(filter.build(), 0, 10);
            operations.list(filter.key("k1").build(), 0, 10);
        }
        operations.list(MessageFilter.ALL, 0, 10);
        ids.forEach(operations::find);
        MessageFilter orders = MessageFilter.builder().topic("orders").build();
        for (Change change : Change.values()) {
            operations.dryRun(change, ids);
            operations.change(change, Bulk.of(orders).dryRun(true), null);
        }
        operations.change(Change.RETRY, ids.subList(0, 1), "x");
        operations.change(Change.SKIP, ids.subList(0, 1), "x");
        operations.releaseStream(ReleaseRequest.of("acme", "k1"), "x");
        operations.releaseStream(ReleaseRequest.of("acme", "k2").topic("orders").only(ids), "x");
        operations.change(Change.DELETE, Bulk.of(orders).limit(1), "x");
        operations.replay(
                new ReplayRequest("acme", "orders", "k0", LONG_AGO, null, "kafka", 5), 10, "x", progress -> {});
        operations.dryRunErase(ErasureRequest.ofKey("acme", "k5"));
        operations.erase(ErasureRequest.ofKey("acme", "k5"), "x", erased -> {});
        operations.erase(ErasureRequest.ofIds(ids.subList(6, 7)), "x", erased -> {});
        operations.pause(Pause.Target.topic("orders"), "x");
        operations.resume(Pause.Target.topic("orders"), "x");
        operations.stats();
        operations.gauges(3);
        operations.failures(10);
        operations.blockedStreams(10);
        operations.destinations();
        operations.nodes();
        operations.lanes();
        operations.storage();
        operations.audit(0, 10);
        Operations bound = operations.seeing(new Sight(Tenants.of(List.of("acme")), ErrorSearch.NONE));
        bound.stats();
        bound.list(MessageFilter.ALL, 0, 10);
        bound.failures(10);
        bound.blockedStreams(10);
        cleanUp(store.maintenance(), operations);

        assertThat(stranger.calls()).isZero();
    }

    private static void cleanUp(Maintenance maintenance, Operations operations) throws SQLException {
        maintenance.prepareArchive();
        try (Connection owner = database.connect();
                Statement statement = owner.createStatement()) {
            statement.execute("CREATE TABLE postroom_archive_p20010101 PARTITION OF postroom_archive"
                    + " FOR VALUES FROM ('2001-01-01') TO ('2001-01-02')");
            statement.executeQuery("SELECT * FROM postroom_readable");
        }
        operations.dryRunPurge(HOUR);
        operations.purge(HOUR, "x", progress -> {});
        maintenance.purgeInbox(HOUR, 10);
        maintenance.purgeNodes(HOUR, 10);
        maintenance.purgeRoutings(Duration.ZERO, 0);
        maintenance.purgeAudit(Duration.ofDays(400), 10);
    }

    @Test
    void the_path_that_a_function_is_called_with_does_not_matter() throws SQLException {
        try (Connection owner = database.connect();
                Statement statement = owner.createStatement()) {
            // Somebody's own functions before the server's: what we compute in every INSERT was bound when it was made.
            statement.execute("SET search_path = public, pg_catalog");
            try (PreparedStatement insert = owner.prepareStatement(
                    "INSERT INTO postroom_message (tenant, topic, ordering_key, payload) VALUES (?, ?, ?, '')")) {
                insert.setString(1, "acme");
                insert.setString(2, "orders");
                insert.setString(3, "k");
                insert.executeUpdate();
            }
            statement.execute("UPDATE postroom_message SET ordering_key = 'l'");
            statement.execute("SELECT postroom_archive_prepare()");
            statement.execute("SELECT postroom_archive_drop('1 hour'::pg_catalog.interval)");
            statement.execute("SELECT * FROM postroom_publish(topic => 'orders', payload => '')");
        }

        assertThat(stranger.calls()).isZero();
    }

    @Test
    void whoever_may_create_beside_the_tables_is_named() throws SQLException {
        TestDatabase own = Postgres.oldest().freshDatabase();
        Schema schema = open(own.dataSource()).schema();
        schema.migrate();
        assertThat(schema.otherCreators()).containsExactly("PUBLIC");

        String role = "creator_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection owner = own.connect();
                Statement statement = owner.createStatement()) {
            statement.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
            assertThat(schema.otherCreators()).isEmpty();
            statement.execute("CREATE ROLE " + role);
            statement.execute("GRANT CREATE ON SCHEMA public TO " + role);
        }
        assertThat(schema.otherCreators()).containsExactly(role);
    }

    private static PageAnswer.Page read(FollowReader reader, FollowReader.Mark mark) {
        return (PageAnswer.Page) reader.read(page(mark));
    }

    /** With all parts that a page can have. */
    private static PageRequest page(FollowReader.Mark mark) {
        return new PageRequest(
                mark,
                LANES.stream().map(lane -> new PageRequest.Reach(lane, 1)).toList(),
                LANES.stream()
                        .map(lane -> new PageRequest.Range(lane, 0, Long.MAX_VALUE, 100))
                        .toList(),
                100,
                new PageRequest.Due(
                        LANES.stream().map(PageRequest.DuePosition::beginning).toList(), 10),
                new PageRequest.Sweep(
                        LANES.stream()
                                .map(lane -> new PageRequest.Span(lane, 0, 1))
                                .toList(),
                        10),
                BOUNDS);
    }

    private static MessageSettler.Success success(StoredMessage row, long route) {
        return new MessageSettler.Success(row.key(), 1, route);
    }

    private static MessageSettler.Failure failure(StoredMessage row, Duration retryAfter) {
        MessageSettler.Cause cause = new MessageSettler.Cause(FailureReason.TIMEOUT, "it broke", "kafka");
        return new MessageSettler.Failure(row.key(), 0, 1, 1, retryAfter, true, 0, cause);
    }

    /** As the owner, each with a key of its own. */
    private static List<UUID> publish(int messages) {
        Outbox outbox = Outbox.on(database.dataSource());
        return IntStream.range(0, messages)
                .mapToObj(i -> outbox.publishInOwnTransaction(
                                Message.to("orders").tenant("acme").type("t").key("k" + i))
                        .id())
                .toList();
    }

    private static Store open(DataSource dataSource) {
        return Store.open(dataSource, TableNames.DEFAULT);
    }

    /** A new user with the grants of the role, and nothing else. */
    private static DataSource as(String role) throws SQLException {
        String name = role + "_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection owner = database.connect();
                Statement statement = owner.createStatement()) {
            statement.execute("CREATE ROLE " + name + " LOGIN PASSWORD 'pw'");
            statement.execute(open(database.dataSource()).schema().grants(role, name));
        }
        PGSimpleDataSource user = new PGSimpleDataSource();
        user.setUrl(database.url());
        user.setUser(name);
        user.setPassword("pw");
        return user;
    }
}
