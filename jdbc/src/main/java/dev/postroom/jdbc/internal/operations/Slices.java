package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The newest rows of several slices together. Each is looked at as far as its share goes, and none further back than
 * where the first of them was cut off: otherwise a page would leave out messages that are newer than others on it.
 */
final class Slices {
    private static final String EXTENTS = """
            SELECT m.{first} AS first_part, m.{second} AS second_part, COUNT(*) AS looked_at, MIN(m.seq) AS lowest,
                MAX(m.seq) AS highest
            FROM ({source}) m
            GROUP BY m.{first}, m.{second}
            """;
    private static final String NEWEST = "SELECT m.* FROM (%s) m ORDER BY m.seq DESC LIMIT %d";

    private final Statements statements;
    private final OperationsSql sql;
    private final int most;

    /** For a window of so many rows. */
    Slices(Statements statements, OperationsSql sql, int most) {
        this.statements = statements;
        this.sql = sql;
        this.most = most;
    }

    /** All slices are of the same index, and most have rows. */
    Window window(List<Slice> slices) throws SQLException {
        if (slices.isEmpty()) {
            return Window.EMPTY;
        }
        List<Extent> extents = measure(slices.stream()
                .map(slice -> slice.withMost(withRoom((double) most / slices.size(), slices.size())))
                .toList());
        if (extents.isEmpty()) {
            return Window.EMPTY;
        }
        List<Slice> deeper = deeper(extents);
        if (!deeper.isEmpty()) {
            List<Extent> measured = new ArrayList<>(measure(deeper));
            extents.stream().filter(extent -> !extent.isOneOf(deeper)).forEach(measured::add);
            extents = measured;
        }
        return along(extents);
    }

    private Window along(List<Extent> extents) {
        OptionalLong floor = extents.stream()
                .filter(Extent::isCutOff)
                .mapToLong(Extent::lowest)
                .max();
        long rows = extents.stream().mapToLong(Extent::rows).sum();
        String source = sql.slices(slicesOf(extents), sql.columns(), floor);
        return Window.newest(NEWEST.formatted(source, most), floor.isPresent() || rows > most);
    }

    /**
     * Slices with more than an even share of the newest rows, each as deep as the whole window goes. How dense the rows of
     * a slice lie in what was seen of it tells how deep that is.
     */
    private List<Slice> deeper(List<Extent> extents) {
        List<Extent> cutOff = extents.stream().filter(Extent::isCutOff).toList();
        long top = extents.stream().mapToLong(Extent::highest).max().orElse(0);
        long whole = extents.stream()
                .filter(extent -> !extent.isCutOff())
                .mapToLong(Extent::rows)
                .sum();
        double depth = Math.max(most / density(extents, top), (most - whole) / density(cutOff, top));
        return cutOff.stream()
                .map(extent -> extent.slice.withMost(
                        Math.min(most + 1, withRoom(depth * extent.density(top), extents.size()))))
                .filter(slice -> slice.most() > cutOff.get(0).slice.most() * 3 / 2)
                .toList();
    }

    private static double density(List<Extent> extents, long top) {
        return extents.stream().mapToDouble(extent -> extent.density(top)).sum();
    }

    /** Hashing spreads rows over lanes evenly but for about the root of how many there are; one slice is all there is. */
    private static int withRoom(double rows, int slices) {
        return (int) (rows + 1 + (slices == 1 ? 0 : 3 + 3 * Math.sqrt(Math.max(0, rows))));
    }

    private List<Extent> measure(List<Slice> slices) throws SQLException {
        Slice.Index index = slices.get(0).index();
        String columns = "m.%s, m.%s, m.seq".formatted(index.first, index.second);
        String extents = EXTENTS.replace("{source}", sql.slices(slices, columns, OptionalLong.empty()))
                .replace("{first}", index.first)
                .replace("{second}", index.second);
        return statements.all(extents, List.of(), row -> {
            long first = row.getLong("first_part");
            int second = row.getInt("second_part");
            Slice measured = slices.stream()
                    .filter(slice -> slice.first() == first && slice.second() == second)
                    .findFirst()
                    .orElseThrow();
            return new Extent(measured, row.getLong("looked_at"), row.getLong("lowest"), row.getLong("highest"));
        });
    }

    private static List<Slice> slicesOf(List<Extent> extents) {
        return extents.stream().map(Extent::slice).toList();
    }

    /** What was seen of a slice: how many rows, and the seqs of the last and the first of them. */
    private record Extent(Slice slice, long rows, long lowest, long highest) {
        boolean isCutOff() {
            return rows == slice.most();
        }

        double density(long top) {
            return (double) rows / (top - lowest + 1);
        }

        boolean isOneOf(List<Slice> slices) {
            return slices.stream()
                    .anyMatch(other -> other.first() == slice.first() && other.second() == slice.second());
        }
    }
}
