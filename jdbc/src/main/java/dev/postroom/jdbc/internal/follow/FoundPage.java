package dev.postroom.jdbc.internal.follow;

import dev.postroom.jdbc.internal.follow.Answers.Ready;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageAnswer.DueEnd;
import dev.postroom.spi.PageAnswer.DueRows;
import dev.postroom.spi.PageAnswer.RangeRows;
import dev.postroom.spi.PageAnswer.Swept;
import dev.postroom.spi.PageAnswer.SweptRow;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.RowKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a page's statement found, part by part, and what of it fits into the answer. */
public final class FoundPage {
    private static final Comparator<FoundRow> BY_SEQ = Comparator.comparingLong(FoundRow::seq);
    private static final Comparator<FoundRow> BY_DUE = Comparator.<FoundRow, Instant>comparing(
                    row -> Objects.requireNonNull(row.message().due()))
            .thenComparing(BY_SEQ);

    private static final Comparator<SweptRow> BY_LANE = Comparator.<SweptRow>comparingInt(
                    row -> row.key().lane())
            .thenComparingLong(row -> row.key().seq());

    private final PageRequest request;
    private final long[] reaches = new long[LaneStore.LANES];
    private final List<FoundRow> late = new ArrayList<>();
    private final List<List<FoundRow>> ranges = new ArrayList<>();
    private final List<FoundRow> due = new ArrayList<>();
    private final List<SweptRow> swept = new ArrayList<>();

    public FoundPage(PageRequest request) {
        this.request = request;
        request.reaches().forEach(reach -> reaches[reach.lane()] = reach.highest());
        request.ranges().forEach(range -> ranges.add(new ArrayList<>()));
    }

    public void add(ResultSet row, FollowRows rows, long place) throws SQLException {
        if (place == Place.SWEPT) {
            swept.add(FollowRows.swept(row));
            return;
        }
        FoundRow found = rows.map(row, request.bounds());
        if (place > 0) {
            ranges.get((int) place - 1).add(found);
        } else if (place == Place.DUE) {
            due.add(found);
        } else if (found.seq() <= reaches[found.key().lane()]) {
            late.add(found);
        }
    }

    /**
     * The answer.
     *
     * @param last up to which number what is not visible is known to be late
     */
    public PageAnswer answer(RowSource source, long last, Mark next, Instant at) throws SQLException {
        ranges.forEach(rows -> rows.sort(BY_SEQ));
        late.sort(BY_SEQ);
        due.sort(BY_DUE);
        Budget budget = new Budget(request.bounds().bytes());
        for (FoundRow row : late) {
            if (!budget.accepts(row)) {
                return new PageAnswer.LateCut();
            }
        }
        Shares shares = new Shares(ranges, due, budget);
        Answers answers = new Answers(source, request.bounds());
        Ready ready = answers.of(
                shares.parts(late), n -> n > 0 && n <= ranges.size() ? Preceding.FIRST_OF_STREAM : Preceding.EACH_ROW);
        List<RangeRows> ranged = new ArrayList<>(ranges.size());
        for (int n = 0; n < ranges.size(); n++) {
            ranged.add(range(request.ranges().get(n), ranges.get(n), shares.ofRange(n), ready.part(n + 1), last));
        }
        List<FollowedMessage> dueRows = ready.part(ranges.size() + 1);
        return new PageAnswer.Page(
                ready.part(0), ranged, new DueRows(dueRows, dueEnds(shares.ofDue())), swept(), next, at);
    }

    private static RangeRows range(
            Range range, List<FoundRow> found, List<FoundRow> taken, List<FollowedMessage> rows, long last) {
        long end = taken.isEmpty() ? range.after() : taken.get(taken.size() - 1).seq();
        boolean cut = taken.size() < found.size() || found.size() >= range.limit();
        if (!cut) {
            return new RangeRows(range, rows, Math.max(end, Math.min(range.upTo(), last)), false);
        }
        return new RangeRows(range, rows, end, true);
    }

    /** Rows of all lanes came together, by due time. */
    private List<DueEnd> dueEnds(List<FoundRow> taken) {
        Map<Integer, Integer> found = new HashMap<>();
        due.forEach(row -> found.merge(row.key().lane(), 1, Integer::sum));
        Map<Integer, Integer> counts = new HashMap<>();
        Map<Integer, FoundRow> latest = new HashMap<>();
        for (FoundRow row : taken) {
            counts.merge(row.key().lane(), 1, Integer::sum);
            latest.put(row.key().lane(), row);
        }
        List<DueEnd> ends = new ArrayList<>();
        for (DuePosition position : request.due().lanes()) {
            FoundRow end = latest.get(position.lane());
            int most = found.getOrDefault(position.lane(), 0);
            boolean cut = most >= request.due().limit() || counts.getOrDefault(position.lane(), 0) < most;
            DuePosition reached = end == null
                    ? position
                    : new DuePosition(position.lane(), end.message().due(), end.seq());
            ends.add(new DueEnd(reached, cut));
        }
        return ends;
    }

    /** Spans are of different lanes, in their order. */
    private Swept swept() {
        List<SweptRow> rows = sweptRows();
        boolean cut = rows.size() >= request.sweep().limit();
        RowKey latest = rows.isEmpty() ? null : rows.get(rows.size() - 1).key();
        List<Long> ends = new ArrayList<>();
        for (Span span : request.sweep().spans()) {
            if (!cut || latest == null || span.lane() < latest.lane()) {
                ends.add(cut && latest == null ? span.after() : span.upTo());
            } else {
                ends.add(span.lane() == latest.lane() ? latest.seq() : span.after());
            }
        }
        return new Swept(rows, ends);
    }

    private List<SweptRow> sweptRows() {
        return swept.stream().sorted(BY_LANE).limit(request.sweep().limit()).toList();
    }

    /**
     * What the sweep saw, if it saw all that can stand before the rows of the page's ranges, by lane and seq; else null.
     */
    public @Nullable List<SweptRow> sweptWholly() {
        if (swept.size() >= request.sweep().limit()) {
            return null;
        }
        Map<Integer, Span> spans = new HashMap<>();
        request.sweep().spans().forEach(span -> spans.put(span.lane(), span));
        for (Range range : request.ranges()) {
            Span span = spans.get(range.lane());
            if (range.after() > 0 && (span == null || span.after() > 0 || span.upTo() < range.after())) {
                return null;
            }
        }
        return sweptRows();
    }
}
