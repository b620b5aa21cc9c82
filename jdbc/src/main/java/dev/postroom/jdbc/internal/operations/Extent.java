package dev.postroom.jdbc.internal.operations;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** What was seen of a slice: how many rows, and the seqs of the last and the first of them. */
record Extent(Slice slice, long rows, long lowest, long highest) {
    private static final String ALL = """
            SELECT m.{first} AS first_part, m.{second} AS second_part, COUNT(*) AS looked_at, MIN(m.seq) AS lowest,
                MAX(m.seq) AS highest
            FROM ({source}) m
            GROUP BY m.{first}, m.{second}
            """;

    /** Of all slices that have rows, in one statement made of what returns their {@link #columns}. */
    static List<Extent> of(List<Slice> slices, String source, Statements statements) throws SQLException {
        Slice.Index index = slices.get(0).index();
        String all =
                ALL.replace("{source}", source).replace("{first}", index.first).replace("{second}", index.second);
        return statements.all(all, List.of(), row -> {
            int first = row.getInt("first_part");
            long second = row.getLong("second_part");
            Slice measured = slices.stream()
                    .filter(slice -> slice.first() == first && slice.second() == second)
                    .findFirst()
                    .orElseThrow();
            return of(measured, row);
        });
    }

    static Extent of(Slice slice, ResultSet row) throws SQLException {
        return new Extent(slice, row.getLong("looked_at"), row.getLong("lowest"), row.getLong("highest"));
    }

    /** What has to be known of each row. */
    static String columns(Slice.Index index) {
        return "m.%s, m.%s, m.seq".formatted(index.first, index.second);
    }

    boolean isCutOff() {
        return rows == slice.most();
    }

    double density(long top) {
        return (double) rows / (top - lowest + 1);
    }
}
