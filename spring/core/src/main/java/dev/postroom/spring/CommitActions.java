package dev.postroom.spring;

import dev.postroom.outbox.TransactionEnd;
import dev.postroom.outbox.TransactionEnd.Ending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What one outbox wants to do once one transaction has committed or ended otherwise. Bound to the transaction's thread, and
 * put aside while the transaction is suspended.
 */
final class CommitActions implements TransactionSynchronization {
    /** A relay that was woken so often looks at the rest by itself. */
    static final int MOST = 1_000;

    private final Object key;
    private final List<Runnable> actions = new ArrayList<>();
    private final List<TransactionEnd> ends = new ArrayList<>();
    /** Which of both there were when a savepoint was set. */
    private final Map<Object, Mark> savepoints = new HashMap<>();

    private boolean committed;

    private record Mark(int actions, int ends) {}

    /** Of a savepoint that was set before there was anything to do. */
    private static final Mark NOTHING_YET = new Mark(0, 0);

    CommitActions(Object key) {
        this.key = key;
    }

    void add(Runnable action) {
        if (actions.size() < MOST) {
            actions.add(action);
        }
    }

    void add(TransactionEnd end) {
        ends.add(end);
    }

    boolean isCommitted() {
        return committed;
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(key, this);
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, new Mark(actions.size(), ends.size()));
    }

    /** For what came after the savepoint, the transaction is rolled back, however it ends. */
    @Override
    public void savepointRollback(Object savepoint) {
        Mark mark = savepoints.getOrDefault(savepoint, NOTHING_YET);
        List<TransactionEnd> undone = ends.subList(mark.ends, ends.size());
        undone.forEach(end -> end.ended(Ending.ROLLED_BACK));
        undone.clear();
        actions.subList(mark.actions, actions.size()).clear();
    }

    /** First of all, so that what others do after the commit is known to come too late. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        committed = true;
    }

    /**
     * Here and not in afterCommit: that is left out when an earlier one of somebody else throws, and what it throws comes
     * out of a commit that was done.
     */
    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
        ends.forEach(end -> end.ended(ending(status)));
        if (status == STATUS_COMMITTED) {
            actions.forEach(Runnable::run);
        }
    }

    private static Ending ending(int status) {
        return switch (status) {
            case STATUS_COMMITTED -> Ending.COMMITTED;
            case STATUS_ROLLED_BACK -> Ending.ROLLED_BACK;
            default -> Ending.UNKNOWN;
        };
    }
}
