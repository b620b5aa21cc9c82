package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.Maintenance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Removes what is over, oldest first along an index, a bounded number of rows at a time. */
public final class JdbcMaintenance implements Maintenance {
    private final Transactions transactions;
    private final OperationsSql sql;

    public JdbcMaintenance(DataSource dataSource, SqlNames names, OperationsSql sql) {
        this.transactions = new Transactions(dataSource, names, sql);
        this.sql = sql;
    }

    @Override
    public void prepareArchive() {
        transactions.change("prepare the archive", tx -> {
            sql.prepareArchive(tx);
            return true;
        });
    }

    @Override
    public long countArchive(Duration olderThan, int limit) {
        return transactions.read("count archived messages", tx -> {
            Where where = new Where().and("a.archived_at < ?", before(tx.now(), olderThan));
            return Counts.upTo(tx, Counts.ARCHIVED, where, limit);
        });
    }

    @Override
    public long purgeArchive(Duration olderThan, int limit) {
        return transactions.change(
                "purge the archive",
                tx -> sql.purgeArchive(tx, new PurgeRequest(olderThan, before(tx.now(), olderThan), limit)));
    }

    @Override
    public long purgeDedup(int limit) {
        return purge("purge idempotency keys", "postroom_dedup", "expires_at", Duration.ZERO, limit);
    }

    @Override
    public long purgeInbox(Duration olderThan, int limit) {
        return purge("purge the inbox", "postroom_inbox", "handled_at", olderThan, limit);
    }

    @Override
    public long purgeAttempts(Duration olderThan, int limit) {
        return purge("purge failed attempts", "postroom_attempt", "at", olderThan, limit);
    }

    @Override
    public long purgeNodes(Duration silentFor, int limit) {
        return purge("forget relays", "postroom_node", "last_seen", silentFor, limit);
    }

    @Override
    public long purgeAudit(Duration olderThan, int limit) {
        return purge("purge the audit", "postroom_audit", "at", olderThan, limit);
    }

    private long purge(String what, String table, String column, Duration olderThan, int limit) {
        return transactions.change(what, tx ->
                (long) tx.update(sql.purge(table, column), List.of(before(tx.now(), olderThan), limit)));
    }

    /** "Forever" reaches back to the beginning of time, which no database can write down. */
    private static Instant before(Instant now, Duration olderThan) {
        return olderThan.compareTo(Duration.between(Instant.EPOCH, now)) > 0 ? Instant.EPOCH : now.minus(olderThan);
    }
}
