package dev.postroom.jdbc.internal;

import dev.postroom.operations.RoutingText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which routings relays have had, and from when until when each was in force. */
final class RoutingRecords {
    private final LaneSql sql;
    private final SqlNames names;

    RoutingRecords(LaneSql sql, SqlNames names) {
        this.sql = sql;
        this.names = names;
    }

    /** Remembers when it was first seen. One relay at a time: which routing is newer must be the same to all. */
    void add(Connection connection, RoutingText routing) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.addRouting()))) {
            String fingerprint = routing.fingerprint();
            new Values(statement).text(fingerprint).text(routing.stored()).text(fingerprint);
            statement.executeUpdate();
        }
    }

    /** What a relay has reported; null when it has not, or told none. */
    @Nullable
    String of(Connection connection, String node) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.routingOf()))) {
            new Values(statement).text(node);
            try (ResultSet row = statement.executeQuery()) {
                String routing = row.next() ? row.getString("routing") : null;
                return routing == null || routing.isEmpty() ? null : routing;
            }
        }
    }

    /** Lanes that were last taken for these are taken for another now. In one order, so that two relays never wait in a ring. */
    void handOver(Connection connection, Set<String> before, String after) throws SQLException {
        Set<String> all = new TreeSet<>(before);
        all.add(after);
        for (String routing : all) {
            String text = routing.equals(after) ? sql.beginForce() : sql.endForce();
            try (PreparedStatement statement = connection.prepareStatement(names.in(text))) {
                new Values(statement).text(routing);
                statement.executeUpdate();
            }
        }
    }
}
