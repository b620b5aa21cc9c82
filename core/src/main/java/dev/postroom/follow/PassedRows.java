package dev.postroom.follow;

import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.StreamRead;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Streams whose first rows are seen not to be owed to a destination, so that they are not read from the beginning each time. A read that
 * begins beyond these does not show a row that committed late among them and has to go first. So what it shows counts only when all that was
 * committed by then is known of: when it is read the second time, two {@linkplain #told tellings} later.
 */
final class PassedRows {
    private static final int MOST = 1_024;
    private static final int TELLINGS = 2;
    private static final long[] NOTHING = new long[0];

    private final Map<Long, Passed> streams = new HashMap<>();
    /** Of which something was seen that does not count yet. */
    private final Set<Long> waiting = new LinkedHashSet<>();

    /** Up to where, and what was seen beyond. */
    private static final class Passed {
        private final long upTo;
        private long[] seen = NOTHING;
        private long seenAt;

        private Passed(long upTo) {
            this.upTo = upTo;
        }
    }

    /** Where a read of the stream goes on. */
    long upTo(long stream) {
        Passed passed = streams.get(stream);
        return passed == null ? 0 : passed.upTo;
    }

    /** Rows up to there are not owed here. */
    void pass(long stream, long upTo) {
        Passed before = streams.get(stream);
        if (before == null ? upTo > 0 && streams.size() < MOST : before.upTo < upTo) {
            streams.put(stream, new Passed(upTo));
        }
    }

    /** A row is owed here: whatever was passed from its number on does not count any more. */
    void owed(long stream, long seq) {
        Passed passed = streams.isEmpty() ? null : streams.get(stream);
        if (passed != null && passed.upTo >= seq) {
            streams.put(stream, new Passed(seq - 1));
        }
    }

    /** Whether a row that a read shows may be taken, after so many tellings. */
    boolean mayTake(StreamRead.Ask ask, long seq, long tellings) {
        if (ask.after() == 0) {
            return true;
        }
        Passed passed = streams.get(ask.stream());
        return passed != null
                && passed.upTo == ask.after()
                && isTold(passed, tellings)
                && Arrays.binarySearch(passed.seen, seq) >= 0;
    }

    private static boolean isTold(Passed passed, long tellings) {
        return tellings - passed.seenAt >= TELLINGS;
    }

    /** A read beyond what was passed has shown these rows, of which some may not be taken yet. */
    void saw(StreamRead.Rows rows, long tellings) {
        Passed passed = streams.get(rows.ask().stream());
        if (passed != null && passed.upTo == rows.ask().after()) {
            passed.seen = rows.rows().stream()
                    .mapToLong(FollowedMessage::seq)
                    .sorted()
                    .toArray();
            passed.seenAt = tellings;
        }
        waiting.add(rows.ask().stream());
    }

    /**
     * There was a telling: everything that was committed when the one before it ended is known of.
     *
     * @param ready is told the streams of which what was seen counts now
     * @return whether others wait for the next telling
     */
    boolean told(long tellings, LongConsumer ready) {
        waiting.removeIf(stream -> {
            Passed passed = streams.get(stream);
            boolean counts = passed == null || isTold(passed, tellings);
            if (counts) {
                ready.accept(stream);
            }
            return counts;
        });
        return !waiting.isEmpty();
    }

    void forget(long stream) {
        if (!streams.isEmpty()) {
            streams.remove(stream);
        }
    }

    void clear() {
        streams.clear();
        waiting.clear();
    }
}
