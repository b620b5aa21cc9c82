package dev.postroom.benchmark.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * db-scheduler, a job queue that is often used as an outbox: each message is a task for now. Locks and fetches a batch in one
 * statement, and deletes each task when it is done. No order.
 */
public final class DbSchedulerPeer implements Peer {
    /** These three are the first line of its authors' own benchmark. */
    private static final int THREADS = 20;

    private static final double FETCH_BELOW = 4.0;
    private static final double FETCH_UP_TO = 20.0;

    private static final Duration IDLE = Duration.ofMillis(100);

    private final DataSource database;
    private final TransactionTemplate transaction;
    private final SchedulerClient client;
    private final InstantSource clock = InstantSource.system();
    private volatile Consumer<String> handler = payload -> {};
    private final OneTimeTask<String> task =
            Tasks.oneTime("order", String.class).execute((instance, context) -> handler.accept(instance.getData()));
    private @Nullable Scheduler scheduler;

    public DbSchedulerPeer(DataSource database) throws SQLException {
        this.database = database;
        createTable();
        this.transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
        this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(database), task)
                .build();
    }

    /** It comes without; columns and indexes are those that its documentation asks for. */
    private void createTable() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS scheduled_tasks (
                        task_name text NOT NULL,
                        task_instance text NOT NULL,
                        task_data bytea,
                        execution_time timestamptz NOT NULL,
                        picked boolean NOT NULL,
                        picked_by text,
                        last_success timestamptz,
                        last_failure timestamptz,
                        consecutive_failures integer,
                        last_heartbeat timestamptz,
                        version bigint NOT NULL,
                        priority smallint,
                        PRIMARY KEY (task_name, task_instance));
                    CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time);
                    CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
                    """);
        }
    }

    @Override
    public void publish(List<Order> orders) {
        List<TaskInstance<?>> tasks = new ArrayList<>(orders.size());
        for (Order order : orders) {
            tasks.add(task.instance(Integer.toString(order.number()), order.payload()));
        }
        transaction.executeWithoutResult(status -> client.scheduleBatch(tasks, clock.instant()));
    }

    @Override
    public void deliver(Consumer<String> handler) {
        this.handler = handler;
        Scheduler started = Scheduler.create(database, task)
                .threads(THREADS)
                .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
                .pollingInterval(IDLE)
                .build();
        started.start();
        scheduler = started;
    }

    @Override
    public String backlogQuery() {
        return "SELECT count(*) FROM scheduled_tasks";
    }

    @Override
    public void close() {
        Scheduler running = scheduler;
        if (running != null) {
            running.stop();
        }
    }
}
