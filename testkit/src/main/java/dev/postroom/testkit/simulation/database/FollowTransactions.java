package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.RowState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which rows are late for a reader of followers: on a database that cannot tell, none. */
final class FollowTransactions {
    private final LiveTable table;
    private final Transactions transactions;
    private final DatabaseShape shape;

    FollowTransactions(LiveTable table, Transactions transactions, DatabaseShape shape) {
        this.table = table;
        this.transactions = transactions;
        this.shape = shape;
    }

    /** What a page saw: on which server, of which transactions, after how many commits, and which number was the last. */
    record FollowMark(long server, Transactions.Snapshot snapshot, long commits, long lastSeq, boolean tellsLateRows)
            implements Mark {}

    /** How far the search for the lowest late rows has come, and the mark of its first statement, which will be the result. */
    record FloorMark(
            FollowMark from,
            FollowMark first,
            long tx,
            @Nullable Place place,
            Map<Integer, Long> lowest) implements Mark {
        long server() {
            return first.server();
        }
    }

    /** @param cut whether more rows would have had to be looked at */
    record Late(List<Row> rows, boolean cut) {}

    FollowMark mark(SimulatedDatabase database) {
        return new FollowMark(
                database.server(),
                transactions.snapshot(),
                database.commits(),
                database.lastSeq(),
                shape.personality() != Personality.PORTABLE);
    }

    /** The late rows of these lanes, by seq. */
    Late late(@Nullable FollowMark previous, List<Reach> reaches, int limit) {
        List<Row> found = new ArrayList<>();
        if (previous == null) {
            return new Late(found, false);
        }
        Map<Integer, Long> highest = highest(reaches);
        int looked = 0;
        for (Row row : candidates(previous.snapshot())) {
            if (++looked > limit && !shape.has(DatabaseDefect.NO_LIMITS)) {
                return new Late(found, !shape.has(DatabaseDefect.LATE_CUT_HIDDEN));
            }
            if (isLate(row, highest)) {
                found.add(row);
            }
        }
        found.sort(Comparator.comparing(row -> Place.of(row.key())));
        return new Late(found, false);
    }

    /** One more step of the search; what commits meanwhile behind it is late for the mark that it ends with. */
    LateFloor.Part floor(FloorMark search, List<Reach> reaches, int limit) {
        Map<Integer, Long> highest = highest(reaches);
        Map<Integer, Long> lowest = new TreeMap<>(search.lowest());
        int looked = 0;
        for (Row row : candidates(search.from().snapshot())) {
            Place place = Place.of(row.key());
            boolean behind = row.tx() < search.tx()
                    || (row.tx() == search.tx() && search.place() != null && place.compareTo(search.place()) <= 0);
            if (behind) {
                continue;
            }
            if (isLate(row, highest)) {
                lowest.merge(row.key().lane(), row.key().seq(), Math::min);
            }
            if (++looked == limit) {
                FloorMark next = new FloorMark(search.from(), search.first(), row.tx(), place, lowest);
                return new LateFloor.Part(reaches(lowest), next, false);
            }
        }
        return new LateFloor.Part(reaches(lowest), search.first(), true);
    }

    private static List<Reach> reaches(Map<Integer, Long> lowest) {
        return lowest.entrySet().stream()
                .map(entry -> new Reach(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Map<Integer, Long> highest(List<Reach> reaches) {
        Map<Integer, Long> highest = new TreeMap<>();
        reaches.forEach(reach -> highest.put(reach.lane(), reach.highest()));
        return highest;
    }

    private static boolean isLate(Row row, Map<Integer, Long> highest) {
        Long reach = highest.get(row.key().lane());
        return reach != null && row.key().seq() <= reach && row.state() == RowState.READY;
    }

    /** By transaction and seq: rows that the snapshot did not see, of transactions that this server has given by now. */
    private List<Row> candidates(Transactions.Snapshot before) {
        List<Row> found = new ArrayList<>();
        if (shape.personality() == Personality.PORTABLE || shape.has(DatabaseDefect.NO_LATE_ROWS)) {
            return found;
        }
        for (long tx : before.running()) {
            found.addAll(table.ofTransaction(tx));
        }
        long end = shape.has(DatabaseDefect.FOREIGN_ALWAYS_LATE)
                ? Long.MAX_VALUE
                : transactions.snapshot().end();
        table.transactions(before.end(), end).forEach(found::addAll);
        found.sort(Comparator.comparingLong(Row::tx).thenComparing(row -> Place.of(row.key())));
        return found;
    }
}
