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
        List<Extent> extents = sql.extents(
                statements,
                slices.stream()
                        .map(slice -> slice.withMost(withRoom((double) most / slices.size(), slices.size())))
                        .toList());
        if (extents.isEmpty()) {
            return Window.EMPTY;
        }
        List<Slice> deeper = deeper(extents);
        if (!deeper.isEmpty()) {
            List<Extent> measured = new ArrayList<>(sql.extents(statements, deeper));
            extents.stream()
                    .filter(extent -> deeper.stream().noneMatch(extent.slice()::isSameAs))
                    .forEach(measured::add);
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
        String source = sql.slices(extents.stream().map(Extent::slice).toList(), floor);
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
                .map(extent -> extent.slice()
                        .withMost(Math.min(most + 1, withRoom(depth * extent.density(top), extents.size()))))
                .filter(slice -> slice.most() > cutOff.get(0).slice().most() * 3 / 2)
                .toList();
    }

    private static double density(List<Extent> extents, long top) {
        return extents.stream().mapToDouble(extent -> extent.density(top)).sum();
    }

    /** Hashing spreads rows over lanes evenly but for about the root of how many there are; one slice is all there is. */
    private static int withRoom(double rows, int slices) {
        return (int) (rows + 1 + (slices == 1 ? 0 : 3 + 3 * Math.sqrt(Math.max(0, rows))));
    }
}
