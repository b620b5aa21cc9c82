package dev.postroom.jdbc.internal.follow;

import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.follow.Answers.Ready;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import dev.postroom.spi.StreamRead.Ask;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a stream read found, ask by ask, and what of it fits into the answer. */
public final class FoundStreams {
    private final List<Ask> asks;
    private final ReadBounds bounds;
    private final List<List<FoundRow>> found = new ArrayList<>();
    private Instant at = Instant.EPOCH;

    public FoundStreams(List<Ask> asks, ReadBounds bounds) {
        this.asks = asks;
        this.bounds = bounds;
        asks.forEach(ask -> found.add(new ArrayList<>()));
    }

    /** Also rows that an ask passes over, which tell how far its scan came; more than its limit of them, as long as the first are complete. */
    public void add(ResultSet row, FollowRows rows, Timestamps timestamps) throws SQLException {
        long place = row.getLong(27);
        if (place == Place.FACTS) {
            at = timestamps.require(row, 14);
        } else {
            found.get((int) place - 1).add(rows.map(row, bounds));
        }
    }

    public StreamRead answer(RowSource source) throws SQLException {
        List<List<FoundRow>> wanted = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (int n = 0; n < found.size(); n++) {
            Ask ask = asks.get(n);
            List<FoundRow> rows = found.get(n);
            rows.sort(Comparator.comparingLong(FoundRow::seq));
            List<FoundRow> scanned = rows.subList(0, Math.min(rows.size(), ask.limit()));
            ends.add(
                    scanned.isEmpty()
                            ? ask.after()
                            : scanned.get(scanned.size() - 1).seq());
            wanted.add(scanned.stream().filter(row -> isWanted(row, ask)).toList());
        }
        Shares shares = new Shares(wanted, List.of(), new Budget(bounds.bytes()));
        List<List<FoundRow>> taken = new ArrayList<>();
        for (int n = 0; n < wanted.size(); n++) {
            taken.add(shares.ofRange(n));
        }
        Ready ready = new Answers(source, bounds).of(taken, part -> Preceding.NOTHING);
        List<StreamRead.Rows> streams = new ArrayList<>();
        for (int n = 0; n < taken.size(); n++) {
            Ask ask = asks.get(n);
            boolean whole = taken.get(n).size() == wanted.get(n).size();
            boolean cut = !whole || found.get(n).size() >= ask.limit();
            streams.add(new StreamRead.Rows(ask, ready.part(n), whole ? ends.get(n) : end(ask, taken.get(n)), cut));
        }
        return new StreamRead(streams, at);
    }

    private static boolean isWanted(FoundRow row, Ask ask) {
        StoredMessage.Progress progress = row.message().progress();
        return (progress.completed() & ask.destination()) == 0 && !progress.released();
    }

    private static long end(Ask ask, List<FoundRow> taken) {
        return taken.isEmpty() ? ask.after() : taken.get(taken.size() - 1).seq();
    }
}
