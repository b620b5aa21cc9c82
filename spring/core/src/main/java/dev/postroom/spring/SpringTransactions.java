package dev.postroom.spring;

import dev.postroom.DatabaseException;
import dev.postroom.inbox.InboxTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Handles messages in transactions of one data source that Spring begins and ends. */
final class SpringTransactions implements InboxTransactions {
    private final DataSource dataSource;
    private final TransactionTemplate template;

    SpringTransactions(DataSource dataSource, PlatformTransactionManager manager) {
        this.dataSource = dataSource;
        this.template = new TransactionTemplate(manager);
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Work<T, X> work) throws X {
        try {
            return template.execute(status -> run(work));
        } catch (Carried carried) {
            if (carried.thrown instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            @SuppressWarnings("unchecked") // there is nothing else that the work throws
            X checked = (X) carried.thrown;
            throw checked;
        } catch (UnexpectedRollbackException e) {
            throw e; // a handler's own doing: something that it called failed, and it went on
        } catch (CannotCreateTransactionException e) {
            throw failure("could not begin a transaction", e);
        } catch (TransactionException | DataAccessException e) {
            throw failure("the transaction of a message failed", e);
        }
    }

    /**
     * By trying it in a transaction apart: managers keep what they begin in different ways. One that cannot begin any now, such as a
     * broker's, is none of this data source, which answers.
     */
    boolean isOfItsDataSource() {
        TransactionTemplate apart = new TransactionTemplate(Objects.requireNonNull(template.getTransactionManager()));
        apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        Object outer = TransactionSynchronizationManager.getResource(dataSource);
        try {
            return Boolean.TRUE.equals(apart.execute(status -> {
                Object bound = TransactionSynchronizationManager.getResource(dataSource);
                return bound != null && bound != outer;
            }));
        } catch (TransactionException e) {
            return false;
        }
    }

    @Override
    public boolean beginsAnew() {
        return !TransactionSynchronizationManager.isActualTransactionActive();
    }

    private <T extends @Nullable Object, X extends Exception> T run(Work<T, X> work) {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return work.run(connection);
        } catch (RuntimeException e) {
            throw new Carried(e);
        } catch (SQLException e) {
            throw new Carried(new DatabaseException("the transaction of a message failed: " + e.getMessage(), e));
        } catch (Exception e) {
            throw new Carried(e);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** What the database said, if it was the database. */
    private static RuntimeException failure(String what, RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return e instanceof CannotCreateTransactionException
                        ? DatabaseException.noConnection(what, sql)
                        : new DatabaseException(what + ": " + sql.getMessage(), sql);
            }
        }
        return e;
    }

    /** Takes what the work threw through Spring, which would wrap what is checked. */
    private static final class Carried extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient Exception thrown;

        Carried(Exception thrown) {
            super(thrown.getMessage(), thrown, false, false);
            this.thrown = thrown;
        }
    }
}
