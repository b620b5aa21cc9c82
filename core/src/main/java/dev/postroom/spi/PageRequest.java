package dev.postroom.spi;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one page is to contain.
 *
 * @param previous the mark of the last page or late floor that was taken in, or null for a reader that begins: then nothing is late,
 *     and every follower must begin at 0
 * @param reaches all lanes of which late rows are wanted. A lane that is missing has none: right for one in which every position is 0
 * @param ranges any number per lane, also none; they may overlap and come in any order
 * @param lateLimit how many rows the late part may look at; with more, the answer is {@link PageAnswer.LateCut}
 */
public record PageRequest(
        FollowReader.@Nullable Mark previous,
        List<Reach> reaches,
        List<Range> ranges,
        int lateLimit,
        Due due,
        Sweep sweep,
        ReadBounds bounds) {

    /** The highest position of any follower of a lane, stopped and closed ones included: a row is late at or below it. */
    public record Reach(int lane, long highest) {}

    /**
     * READY rows of a lane with {@code after < seq <= upTo}, by seq.
     *
     * @param limit how many rows, at least 1. Rows that share the last seq come along (numbers repeat after a failover)
     */
    public record Range(int lane, long after, long upTo, int limit) {
        public Range {
            if (limit < 1 || after < 0 || upTo < after) {
                throw new IllegalArgumentException(
                        "no range of a lane: after " + after + " up to " + upTo + ", at most " + limit + " rows");
            }
        }
    }

    /**
     * DELAYED and WAITING rows whose time has come, beyond a position per lane.
     *
     * @param limit how many rows per lane
     */
    public record Due(List<DuePosition> lanes, int limit) {
        public static final Due NONE = new Due(List.of(), 0);
    }

    /** A place in the order of (due, seq); the beginning when due is null. */
    public record DuePosition(int lane, @Nullable Instant due, long seq) {
        public static DuePosition beginning(int lane) {
            return new DuePosition(lane, null, 0);
        }
    }

    /**
     * READY rows without their contents, one span after the other, to be compared with what is known of them.
     *
     * @param spans of different lanes, in their order
     * @param limit how many rows in all
     */
    public record Sweep(List<Span> spans, int limit) {
        public static final Sweep NONE = new Sweep(List.of(), 0);

        public Sweep {
            for (int n = 1; n < spans.size(); n++) {
                if (spans.get(n - 1).lane() >= spans.get(n).lane()) {
                    throw new IllegalArgumentException(
                            "a sweep has at most one span of a lane, in order of lanes: " + spans);
                }
            }
        }
    }

    /** The rows of a lane with {@code after < seq <= upTo}; {@code upTo} is at most the lane's reach. */
    public record Span(int lane, long after, long upTo) {}
}
