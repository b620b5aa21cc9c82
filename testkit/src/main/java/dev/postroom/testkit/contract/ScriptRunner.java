package dev.postroom.testkit.contract;

import dev.postroom.DatabaseException;
import dev.postroom.testkit.contract.DatabaseUnderTest.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Runs a printed script as a database's own client would: PostgreSQL's takes it whole, others cut it at delimiters. */
final class ScriptRunner {
    private final Kind kind;

    ScriptRunner(Kind kind) {
        this.kind = kind;
    }

    void run(DataSource dataSource, String script) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : kind == Kind.MARIADB ? likeMariaDbsClient(script) : List.of(script)) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new DatabaseException("the script cannot be run: " + e.getMessage(), e);
        }
    }

    /** Statements end where a line ends with the delimiter, which a line {@code DELIMITER x} changes. */
    private static List<String> likeMariaDbsClient(String script) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        String delimiter = ";";
        for (String line : script.lines().toList()) {
            if (line.startsWith("DELIMITER ")) {
                delimiter = line.substring("DELIMITER ".length()).strip();
            } else if (!line.startsWith("--") && !line.isBlank()) {
                statement.append(line.stripTrailing());
                if (statement.toString().endsWith(delimiter)) {
                    statements.add(statement.substring(0, statement.length() - delimiter.length()));
                    statement.setLength(0);
                } else {
                    statement.append('\n');
                }
            }
        }
        if (!statement.isEmpty()) {
            throw new AssertionError("the script does not end with " + delimiter + ": " + statement);
        }
        return statements;
    }
}
