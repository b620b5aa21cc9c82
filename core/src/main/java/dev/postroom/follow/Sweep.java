package dev.postroom.follow;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Goes over what lies behind the followers, lane by lane, for rows that nothing else can tell of: a restore wrote them, or, where late
 * rows are not known, they are just late. Where they are known, it goes round seldom and slowly; else some of it comes with every page.
 */
final class Sweep {
    private static final long BETWEEN_ROUNDS = Duration.ofSeconds(30).toNanos();
    private static final long BETWEEN_PARTS = Duration.ofMillis(100).toNanos();

    /** Up to where the lanes were swept that this round has not finished. */
    private final Map<Integer, Long> unfinished = new TreeMap<>();

    private long next = Long.MIN_VALUE;

    /** What the next page is to sweep. */
    List<PageRequest.Span> next(Collection<Lane> lanes, FollowReader.@Nullable Mark mark, long now) {
        List<PageRequest.Span> spans = new ArrayList<>();
        if (mark == null || (mark.tellsLateRows() && next != Long.MIN_VALUE && now - next < 0)) {
            return spans;
        }
        if (unfinished.isEmpty()) {
            lanes.forEach(lane -> unfinished.put(lane.number(), 0L));
        }
        for (Lane lane : lanes) {
            Long from = unfinished.get(lane.number());
            if (from != null && from < lane.reach() && !lane.isLeaving()) {
                spans.add(new PageRequest.Span(lane.number(), from, lane.reach()));
            } else {
                unfinished.remove(lane.number());
            }
        }
        unfinished.keySet().removeIf(lane -> spans.stream().noneMatch(span -> span.lane() == lane));
        return spans;
    }

    /** How far it came. Whether it has been everywhere. */
    boolean came(PageRequest request, PageAnswer.Page page, long now) {
        List<PageRequest.Span> spans = request.sweep().spans();
        for (int i = 0; i < spans.size(); i++) {
            long end = page.swept().ends().get(i);
            if (end >= spans.get(i).upTo()) {
                unfinished.remove(spans.get(i).lane());
            } else {
                unfinished.replace(spans.get(i).lane(), end);
            }
        }
        if (spans.isEmpty()) {
            return false;
        }
        next = now + (unfinished.isEmpty() ? BETWEEN_ROUNDS : BETWEEN_PARTS);
        return unfinished.isEmpty();
    }
}
