package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which destinations the bits of {@code postroom_message.completed} stand for. */
record Completed(List<Bit> bits) {
    private static final String NAMES = "SELECT d.bit, d.name FROM postroom_destination d ORDER BY d.name";

    private record Bit(int bit, String name) {}

    static Completed read(Statements statements) throws SQLException {
        return new Completed(
                statements.all(NAMES, List.of(), row -> new Bit(row.getInt("bit"), row.getString("name"))));
    }

    /** In order of their names. */
    List<String> names(long completed) {
        return bits.stream()
                .filter(destination -> (completed >> destination.bit & 1) == 1)
                .map(Bit::name)
                .toList();
    }

    Set<String> set(long completed) {
        return bits.isEmpty() || completed == 0
                ? Set.of()
                : names(completed).stream().collect(Collectors.toSet());
    }
}
