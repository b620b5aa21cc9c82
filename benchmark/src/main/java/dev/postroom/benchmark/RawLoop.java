package dev.postroom.benchmark;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The least that any outbox must do: read 500 rows by their number and delete them, on a table with nothing else. */
final class RawLoop implements AutoCloseable {
    private static final int PAGE = 500;

    private final Connection connection;
    private final boolean arrays;
    private long cursor;
    private long written;

    /** A message of this table. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Row(long seq, String topic, String key, byte[] payload) {}

    RawLoop(DataSource dataSource) throws SQLException {
        this.connection = dataSource.getConnection();
        this.arrays = connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    void fill(int messages, byte[] payload) throws SQLException {
        try (Statement ddl = connection.createStatement()) {
            ddl.execute("DROP TABLE IF EXISTS bench_raw");
            ddl.execute("CREATE TABLE bench_raw (seq BIGINT NOT NULL PRIMARY KEY, topic VARCHAR(255) NOT NULL,"
                    + " ordering_key VARCHAR(255), payload " + (arrays ? "BYTEA" : "BLOB") + " NOT NULL)");
        }
        connection.setAutoCommit(false);
        written = 0;
        while (written < messages) {
            insert(connection, (int) Math.min(PAGE, messages - written), payload);
        }
        connection.commit();
        connection.setAutoCommit(true);
        cursor = 0;
    }

    /** So many more, as one batch within the connection's transaction. */
    void insert(Connection writing, int count, byte[] payload) throws SQLException {
        try (PreparedStatement insert = writing.prepareStatement(
                "INSERT INTO bench_raw (seq, topic, ordering_key, payload) VALUES (?, ?, ?, ?)")) {
            for (int i = 0; i < count; i++) {
                written++;
                insert.setLong(1, written);
                insert.setString(2, "bench.orders");
                insert.setString(3, "order-" + written % 10_000);
                insert.setBytes(4, payload);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    /** Messages per second until nothing is left. */
    double drain() throws SQLException {
        long start = System.nanoTime();
        long done = 0;
        for (int turn = turn(); turn > 0; turn = turn()) {
            done += turn;
        }
        return done * 1e9 / (System.nanoTime() - start);
    }

    private int turn() throws SQLException {
        List<Row> rows = read();
        if (!rows.isEmpty()) {
            delete(rows.stream().map(Row::seq).toList());
        }
        return rows.size();
    }

    /** The next ones. */
    List<Row> read() throws SQLException {
        List<Row> found = new ArrayList<>(PAGE);
        try (PreparedStatement read = connection.prepareStatement(
                "SELECT seq, topic, ordering_key, payload FROM bench_raw WHERE seq > ? ORDER BY seq LIMIT 500")) {
            read.setLong(1, cursor);
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    found.add(new Row(rows.getLong(1), rows.getString(2), rows.getString(3), rows.getBytes(4)));
                }
            }
        }
        if (!found.isEmpty()) {
            cursor = found.get(found.size() - 1).seq();
        }
        return found;
    }

    void delete(List<Long> seqs) throws SQLException {
        if (arrays) {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM bench_raw WHERE seq = ANY (?)")) {
                Array values = connection.createArrayOf("bigint", seqs.toArray());
                delete.setArray(1, values);
                delete.executeUpdate();
            }
        } else {
            String marks = "?" + ", ?".repeat(seqs.size() - 1);
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM bench_raw WHERE seq IN (" + marks + ")")) {
                for (int i = 0; i < seqs.size(); i++) {
                    delete.setLong(i + 1, seqs.get(i));
                }
                delete.executeUpdate();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
