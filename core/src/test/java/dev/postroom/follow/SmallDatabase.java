package dev.postroom.follow;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A few rows of lane 0, with what {@link FollowReader} promises about reading them. A number is its row's index plus 1. */
final class SmallDatabase {
    /** Not committed; gone: delivered everywhere, or skipped. */
    enum Phase {
        UNCOMMITTED('U'),
        READY('r'),
        DELAYED('d'),
        WAITING('w'),
        DEAD('X'),
        GONE('g');

        final char letter;

        Phase(char letter) {
            this.letter = letter;
        }
    }

    /** A row now. */
    static final class Row {
        final Scope.RowPlan plan;
        final RowKey key;
        final Stream stream;
        Phase phase = Phase.UNCOMMITTED;
        long done;
        boolean released;
        int due;
        int version;
        /** What destinations have really received. */
        long received;

        Row(Scope.RowPlan plan, int index) {
            this.plan = plan;
            this.key = new RowKey(0, index + 1L, new UUID(0, index + 1L));
            this.stream = new Stream(
                    plan.tenant() ? "T" : "",
                    plan.topic() == 0 ? "a" : "b",
                    plan.stream() == 0 ? null : "K" + plan.stream());
        }

        boolean isLive() {
            return phase != Phase.UNCOMMITTED && phase != Phase.GONE;
        }

        long owed() {
            return Scope.route(plan.topic()) & ~done;
        }
    }

    /** Which rows a snapshot saw. */
    record Seen(int rows) implements FollowReader.Mark {}

    private static final Content NOTHING = new Content(null, "text/plain", null, Map.of(), new byte[0], null);

    private final Scope scope;
    final Row[] rows;
    int now = 1;

    SmallDatabase(Scope scope) {
        this.scope = scope;
        this.rows = new Row[scope.rows.size()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new Row(scope.rows.get(i), i);
        }
    }

    static Instant time(int at) {
        return Instant.ofEpochSecond(at);
    }

    Seen seen() {
        int seen = 0;
        for (int i = 0; i < rows.length; i++) {
            seen |= rows[i].phase == Phase.UNCOMMITTED ? 0 : 1 << i;
        }
        return new Seen(seen);
    }

    // --- writers ---

    boolean mayCommit(int index) {
        for (int other = 0; other < rows.length; other++) {
            if (rows[other].plan.commitsWith() != rows[index].plan.commitsWith()) {
                continue;
            }
            if (other < index) {
                return false; // the first row of a transaction stands for it
            }
            for (int before = 0; before < other; before++) {
                if (!scope.racing
                        && rows[before].plan.stream() != 0
                        && rows[before].plan.stream() == rows[other].plan.stream()
                        && rows[before].phase == Phase.UNCOMMITTED
                        && rows[before].plan.commitsWith() != rows[index].plan.commitsWith()) {
                    return false; // writers of a stream come one after the other
                }
            }
        }
        return rows[index].phase == Phase.UNCOMMITTED;
    }

    void commit(int index) {
        for (Row row : rows) {
            if (row.plan.commitsWith() == rows[index].plan.commitsWith()) {
                int delayedTo = row.plan.delayedTo();
                row.phase = delayedTo > 0 ? Phase.DELAYED : Phase.READY;
                row.due = delayedTo == 0 || scope.skew ? delayedTo : Math.max(delayedTo, now + 1);
            }
        }
    }

    // --- settling ---

    void confirmed(int index, long bits) {
        Row row = rows[index];
        row.done |= bits;
        if (row.owed() == 0 && row.phase != Phase.GONE) {
            row.phase = Phase.GONE;
            row.due = 0;
        }
    }

    /** Whether it was recorded: not if somebody changed the row. */
    boolean failed(int index, int version, boolean dead, long confirmed) {
        Row row = rows[index];
        if (!row.isLive() || row.phase == Phase.DEAD || row.version != version) {
            return false;
        }
        row.version++;
        row.done |= confirmed;
        row.phase = dead ? Phase.DEAD : Phase.WAITING;
        row.due = dead ? 0 : scope.skew ? now : now + 1;
        return true;
    }

    // --- operators ---

    void release(int index) {
        rows[index].released = true;
        retry(index);
    }

    void retry(int index) {
        rows[index].phase = Phase.WAITING;
        rows[index].due = scope.skew ? now : now + 1;
        rows[index].version++;
    }

    void skip(int index) {
        rows[index].phase = Phase.GONE;
        rows[index].due = 0;
        rows[index].version++;
    }

    // --- reading ---

    private boolean isSkip(Row row) {
        return scope.skip[row.plan.topic()];
    }

    long heldAt(int index) {
        Row row = rows[index];
        long held = 0;
        if (row.plan.stream() != 0 && !row.released) {
            for (int before = 0; before < index; before++) {
                Row other = rows[before];
                boolean holds = (other.phase == Phase.WAITING || other.phase == Phase.DEAD)
                        && !other.released
                        && !isSkip(other);
                if (other.plan.stream() == row.plan.stream() && holds) {
                    held |= other.owed();
                }
            }
        }
        return held;
    }

    FollowedMessage read(int index, boolean ofStream, @Nullable List<FollowedMessage> before) {
        Row row = rows[index];
        RowState state = switch (row.phase) {
            case READY -> RowState.READY;
            case DELAYED -> RowState.DELAYED;
            case WAITING -> RowState.WAITING;
            case DEAD -> RowState.DEAD;
            case UNCOMMITTED, GONE -> throw new IllegalStateException("nobody sees row " + (index + 1));
        };
        boolean failed = state == RowState.WAITING || state == RowState.DEAD;
        return new FollowedMessage(
                new StoredMessage(
                        row.key,
                        row.stream,
                        NOTHING,
                        new StoredMessage.Progress(state, 0, 0, row.done, row.released, null, row.version),
                        Instant.EPOCH,
                        state == RowState.DELAYED || state == RowState.WAITING ? time(row.due) : null,
                        null),
                row.plan.stream(),
                !(failed && isSkip(row)),
                ofStream ? 0 : heldAt(index),
                ofStream || !scope.portable ? List.of() : earlier(index, before));
    }

    private List<FollowedMessage.Earlier> earlier(int index, @Nullable List<FollowedMessage> returned) {
        List<FollowedMessage.Earlier> found = new ArrayList<>();
        Row row = rows[index];
        if (row.plan.stream() == 0 || row.released) {
            return found;
        }
        for (long bit = 1; bit <= 2; bit <<= 1) {
            for (int before = index - 1; before >= 0; before--) {
                Row other = rows[before];
                long seq = before + 1L;
                if (other.plan.stream() == row.plan.stream()
                        && other.phase == Phase.READY
                        && (other.owed() & row.owed() & bit) != 0) {
                    if (returned == null || returned.stream().noneMatch(one -> one.seq() == seq)) {
                        found.add(new FollowedMessage.Earlier(seq, bit));
                    }
                    break;
                }
            }
        }
        return found;
    }

    PageAnswer read(PageRequest request) {
        int marked = request.previous() instanceof Seen seen ? seen.rows() : 0;
        long reach = request.reaches().isEmpty() ? 0 : request.reaches().get(0).highest();
        List<FollowedMessage> late = new ArrayList<>();
        for (int i = 0; i < rows.length && !scope.portable; i++) {
            if (rows[i].phase == Phase.READY && (marked >> i & 1) == 0 && i < reach) {
                late.add(read(i, false, null));
            }
        }
        if (late.size() > request.lateLimit()) {
            return new PageAnswer.LateCut();
        }
        List<PageAnswer.RangeRows> ranges = new ArrayList<>();
        request.ranges().forEach(range -> ranges.add(range(range)));
        return new PageAnswer.Page(late, ranges, due(request.due()), swept(request.sweep()), seen(), time(now));
    }

    private PageAnswer.RangeRows range(PageRequest.Range range) {
        List<FollowedMessage> found = new ArrayList<>();
        long last = scope.endsAtLast ? rows.length : 0;
        for (int i = 0; i < rows.length; i++) {
            last = rows[i].phase == Phase.UNCOMMITTED ? last : Math.max(last, i + 1);
            if (i >= range.after() && i < range.upTo() && rows[i].phase == Phase.READY) {
                found.add(read(i, false, found));
                if (found.size() >= range.limit()) {
                    return new PageAnswer.RangeRows(range, found, i + 1, true);
                }
            }
        }
        return new PageAnswer.RangeRows(range, found, Math.max(range.after(), Math.min(range.upTo(), last)), false);
    }

    private PageAnswer.DueRows due(PageRequest.Due due) {
        List<FollowedMessage> found = new ArrayList<>();
        List<PageAnswer.DueEnd> ends = new ArrayList<>();
        for (PageRequest.DuePosition position : due.lanes()) {
            Due from = new Due(position.due(), position.seq());
            List<FollowedMessage> all = new ArrayList<>();
            for (int i = 0; i < rows.length; i++) {
                boolean waits = rows[i].phase == Phase.WAITING || rows[i].phase == Phase.DELAYED;
                if (waits && rows[i].due <= now && new Due(time(rows[i].due), i + 1L).compareTo(from) > 0) {
                    all.add(read(i, false, null));
                }
            }
            all.sort(Comparator.comparing(row -> new Due(row.message().due(), row.seq())));
            List<FollowedMessage> some = all.subList(0, Math.min(due.limit(), all.size()));
            FollowedMessage last = some.isEmpty() ? null : some.get(some.size() - 1);
            found.addAll(some);
            ends.add(new PageAnswer.DueEnd(
                    last == null
                            ? position
                            : new PageRequest.DuePosition(0, last.message().due(), last.seq()),
                    some.size() < all.size()));
        }
        return new PageAnswer.DueRows(found, ends);
    }

    private PageAnswer.Swept swept(PageRequest.Sweep sweep) {
        List<PageAnswer.SweptRow> found = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (PageRequest.Span span : sweep.spans()) {
            for (int i = (int) span.after(); i < Math.min(span.upTo(), rows.length); i++) {
                Row row = rows[i];
                if (row.phase == Phase.READY) {
                    found.add(new PageAnswer.SweptRow(
                            row.key, row.plan.stream(), row.stream, null, null, row.done, row.released));
                }
            }
            ends.add(span.upTo());
        }
        return new PageAnswer.Swept(found, ends);
    }

    StreamRead readStream(StreamRead.Ask ask) {
        List<FollowedMessage> found = new ArrayList<>();
        for (int i = (int) ask.after(); i < rows.length; i++) {
            Row row = rows[i];
            boolean failed = row.phase == Phase.WAITING || row.phase == Phase.DEAD;
            if (row.plan.stream() == ask.stream()
                    && row.isLive()
                    && !row.released
                    && !(failed && isSkip(row))
                    && (row.done & ask.destination()) == 0) {
                found.add(read(i, true, null));
                if (found.size() >= ask.limit()) {
                    return new StreamRead(List.of(new StreamRead.Rows(ask, found, i + 1, true)), time(now));
                }
            }
        }
        return new StreamRead(List.of(new StreamRead.Rows(ask, found, rows.length, false)), time(now));
    }

    LateFloor lateFloor(FollowReader.Mark previous, long reach) {
        int marked = ((Seen) previous).rows();
        for (int i = 0; i < Math.min(reach, rows.length) && !scope.portable; i++) {
            if (rows[i].phase == Phase.READY && (marked >> i & 1) == 0) {
                return new LateFloor.Part(List.of(new PageRequest.Reach(0, i + 1L)), seen(), true);
            }
        }
        return new LateFloor.Part(List.of(), seen(), true);
    }
}
