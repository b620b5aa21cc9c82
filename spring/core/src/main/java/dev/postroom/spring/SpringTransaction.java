package dev.postroom.spring;

import dev.postroom.NoTransactionException;
import dev.postroom.outbox.AmbientTransaction;
import dev.postroom.outbox.TransactionEnd;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring has bound to the calling thread for one data source. */
final class SpringTransaction implements AmbientTransaction {
    private static final String OR_ELSE = "pass your connection to publish(connection, message), or use"
            + " publishInOwnTransaction when no data belongs to the message";

    private final DataSource dataSource;

    SpringTransaction(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Never null.
     *
     * @throws NoTransactionException when nothing that is written now would be committed together with the caller's data
     */
    @Override
    public Connection connection() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new NoTransactionException(
                    "publish was called with no active Spring transaction, so the message could"
                            + " be sent although your data is rolled back: make the calling method @Transactional (and call it"
                            + " through its bean, not on this), use a TransactionTemplate, " + OR_ELSE);
        }
        refuseWhenOver();
        refuseReadOnly();
        if (!TransactionSynchronizationManager.hasResource(dataSource)) {
            throw new NoTransactionException("the current Spring transaction" + name() + " is not one of the outbox's"
                    + " data source, so message and data would not be written together: name the transaction manager of"
                    + " that data source, as in @Transactional(\"ordersTransactionManager\"), or give the outbox the"
                    + " DataSource that the transaction manager has, or " + OR_ELSE);
        }
        Connection connection = DataSourceUtils.getConnection(dataSource);
        // Bound to the transaction: this only takes back that somebody uses it, and the transaction keeps it open.
        DataSourceUtils.releaseConnection(connection, dataSource);
        return connection;
    }

    /** Its connection is still there then, but what is written to it is committed by accident, or never. */
    private void refuseWhenOver() {
        CommitActions actions = (CommitActions) TransactionSynchronizationManager.getResource(this);
        boolean completing = !TransactionSynchronizationManager.isSynchronizationActive();
        if (completing || (actions != null && actions.isCommitted())) {
            throw new NoTransactionException("the current Spring transaction" + name() + " is already over, as in a"
                    + " @TransactionalEventListener or an afterCommit: publish before the commit, or in a new"
                    + " transaction (Propagation.REQUIRES_NEW), or " + OR_ELSE);
        }
    }

    /** Some databases would take it. But JPA writes no data in such a transaction, and the message would speak of it. */
    private void refuseReadOnly() {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new NoTransactionException("the current Spring transaction" + name() + " is read-only, so there is no"
                    + " data that the message could belong to: remove readOnly = true from the method that began it, or "
                    + OR_ELSE);
        }
    }

    private static String name() {
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        return name == null ? "" : " '" + name + "'";
    }

    @Override
    public void afterCommit(Runnable action) {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            actions().add(action);
        }
    }

    /** There is always a synchronization: {@link #connection} refuses a transaction without one. */
    @Override
    public void atEnd(TransactionEnd end) {
        actions().add(end);
    }

    private CommitActions actions() {
        CommitActions actions = (CommitActions) TransactionSynchronizationManager.getResource(this);
        if (actions == null) {
            actions = new CommitActions(this);
            TransactionSynchronizationManager.bindResource(this, actions);
            TransactionSynchronizationManager.registerSynchronization(actions);
        }
        return actions;
    }
}
