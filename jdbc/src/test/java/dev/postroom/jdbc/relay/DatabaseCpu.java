package dev.postroom.jdbc.relay;

import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What the server's processes for one database have spent, as the operating system counts it: unlike a stopwatch it does not notice
 * that others keep the machine busy. Only for a server on this machine.
 */
record DatabaseCpu(Map<Long, Duration> byProcess) {

    static DatabaseCpu of(TestDatabase database) throws SQLException, IOException {
        Map<Long, Duration> spent = new HashMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()")) {
            while (rows.next()) {
                spent.put(rows.getLong(1), ofProcess(rows.getLong(1)));
            }
        }
        return new DatabaseCpu(spent);
    }

    /** The first number is the time on a processor, in nanoseconds. */
    private static Duration ofProcess(long pid) throws IOException {
        String statistics = Files.readString(Path.of("/proc", Long.toString(pid), "schedstat"));
        return Duration.ofNanos(Long.parseLong(statistics.substring(0, statistics.indexOf(' '))));
    }

    /** What was spent since, also by processes that were not there then. */
    Duration since(DatabaseCpu before) {
        return byProcess.entrySet().stream()
                .map(process ->
                        process.getValue().minus(before.byProcess.getOrDefault(process.getKey(), Duration.ZERO)))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
