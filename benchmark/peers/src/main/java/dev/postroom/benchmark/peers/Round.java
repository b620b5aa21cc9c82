package dev.postroom.benchmark.peers;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Writes a backlog, lets one system drain it, and makes sure that all of it was handled. */
final class Round {
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** A tenth is written one by one, the rest in hundreds; so both are measured, and the backlog is one. */
    private static final int ONE_BY_ONE = 10;

    private final DataSource database;
    private final List<Order> orders;
    private final Duration patience;

    Round(DataSource database, int messages, Duration patience) {
        this.database = database;
        this.orders = Order.all(messages);
        this.patience = patience;
    }

    Rates run(Peer peer) throws Exception {
        int single = Math.max(1, orders.size() / ONE_BY_ONE);
        Handled handled = new Handled(orders.size());
        double one;
        double many;
        double drained;
        try (peer) {
            one = write(peer, orders.subList(0, single), 1);
            many = write(peer, orders.subList(single, orders.size()), Rates.MANY);
            require(orders.size(), count(peer.backlogQuery()), "messages were written");
            settleDown();
            long start = System.nanoTime();
            peer.deliver(handled::accept);
            boolean all = handled.await(patience);
            peer.settle();
            drained = rate(orders.size(), start);
            require(orders.size(), handled.distinct(), all ? "were handled" : "were handled in " + patience);
        }
        require(0, count(peer.backlogQuery()), "messages wait after all were handled");
        return new Rates(drained, one, many);
    }

    private static double write(Peer peer, List<Order> part, int perTransaction) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < part.size(); i += perTransaction) {
            peer.publish(part.subList(i, Math.min(part.size(), i + perTransaction)));
        }
        return rate(part.size(), start);
    }

    private static double rate(int messages, long start) {
        return messages * 1e9 / (System.nanoTime() - start);
    }

    private static void require(long expected, long seen, String what) {
        if (seen != expected) {
            throw new IllegalStateException(seen + " " + what + ", and it must be " + expected
                    + ": this measures nothing, look at the log for why");
        }
    }

    private long count(String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Nobody is to pay for the garbage of those before, or for the filling. */
    private void settleDown() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE");
            statement.execute("CHECKPOINT");
        }
    }
}
