package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.Change;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.ErasureResult;
import dev.postroom.operations.FailureGroup;
import dev.postroom.operations.Gauges;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.operations.RoutingItem;
import dev.postroom.operations.Stats;
import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.Tenants;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs each operation in a transaction of its own; what it does is in the classes it is made of. */
public final class JdbcOperations implements OperationsStore {
    private final Transactions transactions;
    private final OperationsSql sql;
    private final AuditLog audit = new AuditLog();
    private final Pauses pauses = new Pauses(audit);
    private final MessageLists lists;
    private final MessageDetails details;
    private final MessageChanges changes;
    private final Replays replays;
    private final Erasures erasures;
    private final Overview overview;
    private final TenantOverview tenantOverview;
    private final Troubles troubles;

    public JdbcOperations(DataSource dataSource, SqlNames names, OperationsSql sql) {
        this(dataSource, names, sql, Transactions.LONGEST_READ);
    }

    public JdbcOperations(DataSource dataSource, SqlNames names, OperationsSql sql, Duration longestRead) {
        this(new Transactions(dataSource, names, sql, longestRead), MessagePage.SEARCHED);
    }

    /** What lists, counts or groups messages looks at so many. */
    JdbcOperations(Transactions transactions, int searched) {
        OperationsSql sql = transactions.sql();
        this.transactions = transactions;
        this.sql = sql;
        this.lists = new MessageLists(sql, searched);
        this.details = new MessageDetails(sql, new WaitingFacts(sql, pauses));
        this.changes = new MessageChanges(sql, audit);
        this.replays = new Replays(sql, audit);
        this.erasures = new Erasures(sql, audit);
        this.overview = new Overview(sql, searched);
        this.tenantOverview = new TenantOverview(sql, searched);
        this.troubles = new Troubles(sql, searched);
    }

    @Override
    public MessagePage list(MessageFilter filter, int page, int pageSize) {
        return transactions.read("list messages", tx -> lists.page(tx, filter, page, pageSize));
    }

    @Override
    public Optional<MessageDetail> find(UUID id, int maxPayloadBytes) {
        return transactions.read("look up message " + id, tx -> details.find(tx, id, maxPayloadBytes));
    }

    @Override
    public Map<UUID, Map<String, String>> headers(List<UUID> ids, Tenants tenants) {
        return transactions.read("read headers", tx -> MessageHeaders.of(tx, ids, tenants));
    }

    @Override
    public long count(MessageFilter filter, Change change, int limit) {
        return transactions.read("count messages", tx -> lists.count(tx, filter, change, limit));
    }

    @Override
    public List<UUID> owned(List<UUID> ids, Tenants tenants) {
        return transactions.read("look up messages", tx -> TenantsOwn.of(tx, ids, tenants));
    }

    @Override
    public long count(List<UUID> ids, Change change) {
        return transactions.read("look up messages", tx -> changes.count(tx, ids, change));
    }

    @Override
    public List<UUID> select(MessageFilter filter, Change change, int limit) {
        return transactions.read("select messages", tx -> lists.select(tx, filter, change, limit));
    }

    @Override
    public int change(Change change, List<UUID> ids, Auditing auditing) {
        return transactions.change(change.label() + " messages", tx -> changes.change(tx, change, ids, auditing));
    }

    @Override
    public ActionResult releaseStream(ReleaseRequest request, int limit, Auditing auditing) {
        return transactions.change("release messages", tx -> changes.releaseStream(tx, request, limit, auditing));
    }

    @Override
    public long countReplay(ReplayRequest request, int limit) {
        return transactions.change("count archived messages", tx -> replays.count(tx, request, limit));
    }

    @Override
    public List<String> archivedTopics(@Nullable String tenant, Instant from, Instant to, int limit) {
        return transactions.change("list archived topics", tx -> replays.topics(tx, tenant, from, to, limit));
    }

    @Override
    public ReplayStep replay(ReplayRequest request, ReplayPosition from, int limit, Auditing auditing) {
        return transactions.change("replay messages", tx -> replays.step(tx, request, from, limit, auditing));
    }

    @Override
    public KeyStep findByKey(String tenant, String key, boolean archived, @Nullable UUID after) {
        return transactions.read(
                "look for a key", tx -> erasures.find(tx, new Erasures.KeyPlace(tenant, key, archived), after));
    }

    @Override
    public ErasureResult countErasable(List<UUID> ids) {
        return transactions.read("count what would be erased", tx -> erasures.count(tx, ids));
    }

    @Override
    public ErasureResult erase(List<UUID> ids, Auditing auditing) {
        return transactions.change("erase messages", tx -> erasures.erase(tx, ids, auditing));
    }

    @Override
    public Set<String> tenantsOf(List<UUID> ids) {
        return transactions.read("look for tenants", tx -> erasures.tenants(tx, ids));
    }

    @Override
    public DedupStep idempotencyKeysOf(Set<UUID> ids, DedupPosition from, boolean remove) {
        return transactions.change("look for idempotency keys", tx -> erasures.idempotencyKeys(tx, ids, from, remove));
    }

    @Override
    public void pause(Pause.Target target, Auditing auditing) {
        transactions.change("pause " + target.describe(), tx -> {
            pauses.pause(tx, target, auditing);
            return true;
        });
    }

    @Override
    public boolean resume(Pause.Target target, Auditing auditing) {
        return transactions.change("resume " + target.describe(), tx -> pauses.resume(tx, target, auditing));
    }

    @Override
    public List<Pause> pauses() {
        return transactions.read("list pauses", pauses::all);
    }

    @Override
    public Stats stats() {
        return transactions.read("take stock", overview::stats);
    }

    @Override
    public Stats stats(Tenants tenants) {
        return transactions.read("take stock", tx -> tenantOverview.stats(tx, tenants));
    }

    @Override
    public Gauges gauges(int poisonAttempts) {
        return transactions.read("read the gauges", tx -> overview.gauges(tx, poisonAttempts));
    }

    @Override
    public List<FailureGroup> failures(Tenants tenants, int scan, int limit) {
        return transactions.read("group failures", tx -> troubles.failures(tx, tenants, scan, limit));
    }

    @Override
    public List<BlockedStream> blockedStreams(Tenants tenants, int limit) {
        return transactions.read("list blocked streams", tx -> troubles.blockedStreams(tx, tenants, limit));
    }

    @Override
    public List<DestinationItem> destinations() {
        return transactions.read("list destinations", pauses::destinations);
    }

    @Override
    public List<NodeItem> nodes() {
        return transactions.read("list nodes", Nodes::nodes);
    }

    @Override
    public List<LaneItem> lanes() {
        return transactions.read("list lanes", Nodes::lanes);
    }

    @Override
    public List<RoutingItem> routings() {
        return transactions.read("list routings", Nodes::routings);
    }

    @Override
    public StorageFacts storage() {
        return transactions.read("ask how the tables lie", sql::storage);
    }

    @Override
    public List<AuditEntry> audit(int page, int pageSize) {
        return transactions.read("read the audit", tx -> audit.read(tx, page, pageSize));
    }

    @Override
    public void record(Auditing auditing, Effect effect) {
        transactions.change("write the audit", tx -> {
            audit.write(tx, auditing, effect);
            return true;
        });
    }
}
