package dev.postroom.follow;

import dev.postroom.engine.Counts;
import dev.postroom.engine.EngineSettings;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a page is to bring: of each lane the rows from the foremost follower on, and from one that lags, in rotation. While there
 * is a backlog, lanes advance together up to a common horizon, because rows of one time lie on the same pages of the table; a lane that is ahead
 * of the others still gets a few rows a time.
 */
final class PagePlan {
    private static final int PAGE = 4_096;
    private static final int QUOTA = 8;

    private final EngineSettings settings;
    private final Collection<Lane> lanes;
    /** Where each lane's lagging range began the last time. */
    private final Map<Integer, Long> lagging = new HashMap<>();
    /** Lanes of which the last page did not bring all. */
    private final Map<Integer, Boolean> deep = new HashMap<>();

    private final Sweep sweep = new Sweep();

    PagePlan(EngineSettings settings, Collection<Lane> lanes) {
        this.settings = settings;
        this.lanes = lanes;
    }

    /**
     * What all lanes have.
     *
     * @param isDue whether to read what is due
     * @param missed whether what was missed is read again wherever it may be taken, and not only where everybody has caught up
     */
    PageRequest nextOfAll(
            FollowReader.@Nullable Mark mark, boolean isDue, boolean missed, ReadBounds bounds, long now) {
        List<PageRequest.DuePosition> positions = new ArrayList<>();
        for (Lane lane : lanes) {
            if (lane.isLeaving()) {
                continue;
            }
            boolean again = missed ? lane.rereadMissedSlowly() : lane.rereadMissed();
            if (isDue || again) {
                Due from = lane.dueUpTo();
                positions.add(new PageRequest.DuePosition(lane.number(), from.time(), from.seq()));
            }
        }
        int duePerLane = Math.max(1, settings.bounds().dueRows() / Math.max(1, positions.size()));
        PageRequest.Due due = new PageRequest.Due(positions, duePerLane);
        return request(mark, lane -> true, due, sweep.next(lanes, mark, now), bounds);
    }

    /**
     * What was committed in these lanes a moment ago. Everything late comes along, whatever its lane, because the page has a mark as every
     * other; and where that is how late rows are found, a part of the sweep.
     */
    PageRequest nextOf(Set<Integer> numbers, FollowReader.Mark mark, ReadBounds bounds, long now) {
        List<PageRequest.Span> spans = mark.tellsLateRows() ? List.of() : sweep.next(lanes, mark, now);
        return request(mark, lane -> numbers.contains(lane.number()), PageRequest.Due.NONE, spans, bounds);
    }

    private PageRequest request(
            FollowReader.@Nullable Mark mark,
            Predicate<Lane> isWanted,
            PageRequest.Due due,
            List<PageRequest.Span> spans,
            ReadBounds bounds) {
        List<PageRequest.Reach> reaches = new ArrayList<>();
        List<PageRequest.Range> ranges = new ArrayList<>();
        int room = room();
        long horizon = horizon(room);
        for (Lane lane : lanes) {
            if (lane.isLeaving()) {
                continue;
            }
            long reach = lane.reach();
            if (reach > 0) {
                reaches.add(new PageRequest.Reach(lane.number(), reach));
            }
            if (room > 0 && isWanted.test(lane)) {
                addRanges(ranges, lane, room, horizon);
            }
        }
        return new PageRequest(
                mark,
                reaches,
                ranges,
                settings.bounds().lateRows(),
                due,
                new PageRequest.Sweep(spans, settings.bounds().sweptKeys()),
                bounds);
    }

    private void addRanges(List<PageRequest.Range> ranges, Lane lane, int room, long horizon) {
        NavigableSet<Long> positions = lane.ablePositions();
        if (positions.isEmpty()) {
            return;
        }
        int even = Math.max(1, Math.min(settings.batchSize(), room / Math.max(1, lanes.size())));
        long foremost = positions.last();
        if (positions.size() > 1) {
            long last = lagging.getOrDefault(lane.number(), -1L);
            Long next = positions.higher(last);
            long from = next == null || next == foremost ? positions.first() : next;
            lagging.put(lane.number(), from);
            ranges.add(new PageRequest.Range(lane.number(), from, foremost, even));
        }
        boolean isDeep = deep.getOrDefault(lane.number(), false);
        if (isDeep && foremost < horizon) {
            int most = Math.min(settings.batchSize(), Math.max(even * 4, QUOTA));
            ranges.add(new PageRequest.Range(lane.number(), foremost, horizon, most));
        } else {
            int most = isDeep ? Math.min(QUOTA, even) : even;
            ranges.add(new PageRequest.Range(lane.number(), foremost, Long.MAX_VALUE, most));
        }
    }

    private long horizon(int room) {
        long slowest = Long.MAX_VALUE;
        for (Lane lane : lanes) {
            if (deep.getOrDefault(lane.number(), false) && !lane.isLeaving()) {
                slowest = Math.min(slowest, lane.foremostAble());
            }
        }
        int rows = Math.max(1, Math.min(PAGE, room));
        return Counts.ahead(slowest, Math.max(1, rows * 64L / Math.max(1, lanes.size())));
    }

    /** How many rows the destination with the most room can take. */
    private int room() {
        int room = 0;
        for (Destination destination : destinations()) {
            if (destination.isAble()) {
                room = Math.max(room, Math.max(1, destination.room()));
            }
        }
        return Math.min(PAGE, room);
    }

    long roomForBytes() {
        long room = 0;
        for (Destination destination : destinations()) {
            room = Math.max(room, destination.roomForBytes());
        }
        return room;
    }

    private List<Destination> destinations() {
        for (Lane lane : lanes) {
            return lane.tracks().stream().map(Track::destination).toList();
        }
        return List.of();
    }

    /** What became of it. Whether the sweep has been everywhere. */
    boolean came(PageRequest request, PageAnswer.Page page, IntFunction<@Nullable Lane> laneOfRead, long now) {
        for (PageAnswer.RangeRows rows : page.ranges()) {
            PageRequest.Range range = rows.range();
            Lane lane = laneOfRead.apply(range.lane());
            if (lane != null) {
                deep.put(range.lane(), rows.cut() || (range.upTo() < Long.MAX_VALUE && rows.end() >= range.upTo()));
            }
        }
        return sweep.came(request, page, now);
    }

    /** Whether some lane has more that its destinations can take. */
    boolean isMore() {
        for (Lane lane : lanes) {
            if (!lane.isLeaving()) {
                NavigableSet<Long> positions = lane.ablePositions();
                if (positions.size() > 1 || (!positions.isEmpty() && deep.getOrDefault(lane.number(), false))) {
                    return true;
                }
            }
        }
        return false;
    }

    int found(PageAnswer.Page page) {
        int found = page.late().size() + page.due().rows().size();
        for (PageAnswer.RangeRows rows : page.ranges()) {
            found += rows.rows().size();
        }
        return found;
    }

    /** Changes when any follower moves. */
    long progress() {
        long sum = 0;
        for (Lane lane : lanes) {
            for (Track track : lane.tracks()) {
                sum = sum * 31 + track.everything().position();
                for (Follower part : track.parts()) {
                    sum = sum * 31 + part.position();
                }
            }
        }
        return sum;
    }
}
