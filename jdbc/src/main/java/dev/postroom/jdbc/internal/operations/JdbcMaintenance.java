package dev.postroom.jdbc.internal.operations;

import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.Maintenance;
import java.time.Duration;
import java.time.Instant;
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
            return Counts.upTo(tx, sql.archived(), where, limit);
        });
    }

    @Override
    public long purgeArchive(Duration olderThan, int limit) {
        return transactions.change("purge the archive", tx -> sql.purgeArchive(tx, request(tx, olderThan, limit)));
    }

    @Override
    public long purgeDedup(int limit) {
        return purge("purge idempotency keys", AgedTable.DEDUP, Duration.ZERO, limit);
    }

    @Override
    public long purgeInbox(Duration olderThan, int limit) {
        return purge("purge the inbox", AgedTable.INBOX, olderThan, limit);
    }

    @Override
    public long purgeAttempts(Duration olderThan, int limit) {
        return purge("purge failed attempts", AgedTable.ATTEMPT, olderThan, limit);
    }

    @Override
    public long purgeNodes(Duration silentFor, int limit) {
        return purge("forget relays", AgedTable.NODE, silentFor, limit);
    }

    @Override
    public long purgeRoutings(Duration outOfForce, int kept) {
        return transactions.change("forget routings", tx -> OldRoutings.remove(tx, before(tx.now(), outOfForce), kept));
    }

    @Override
    public long purgeAudit(Duration olderThan, int limit) {
        if (olderThan.compareTo(LEAST_AUDIT_AGE) < 0) {
            throw new PostroomException("the audit is kept for at least " + LEAST_AUDIT_AGE.toDays()
                    + " days (asked for " + olderThan + "): raise postroom.audit.retention");
        }
        return transactions.change("purge the audit", tx -> sql.purgeAudit(tx, request(tx, olderThan, limit)));
    }

    private long purge(String what, AgedTable table, Duration olderThan, int limit) {
        return transactions.change(what, tx -> sql.purge(tx, table, request(tx, olderThan, limit)));
    }

    private static PurgeRequest request(Statements tx, Duration olderThan, int limit) {
        return new PurgeRequest(olderThan, before(tx.now(), olderThan), limit);
    }

    /** "Forever" reaches back to the beginning of time, which no database can write down. */
    private static Instant before(Instant now, Duration olderThan) {
        return olderThan.compareTo(Duration.between(Instant.EPOCH, now)) > 0 ? Instant.EPOCH : now.minus(olderThan);
    }
}
