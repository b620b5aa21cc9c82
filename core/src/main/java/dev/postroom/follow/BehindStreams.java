package dev.postroom.follow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/**
 * The streams of a lane that left something behind at one destination. Each is read by itself, from its lowest live row on, and its
 * rows come from nowhere else, until a read leaves nothing.
 */
final class BehindStreams {
    /** Streams that are remembered as worth a read; the round finds the others. */
    private static final int MOST_WANTED = 1_024;

    private final StreamSet streams;
    /** Fell behind since the read that is under way began: its answer does not know why. */
    private final StreamSet fellDuringRead = new StreamSet(new StreamBudget(Integer.MAX_VALUE));

    private final Deque<Long> wanted = new ArrayDeque<>();
    private final StreamSet isWanted = new StreamSet(new StreamBudget(Integer.MAX_VALUE));
    /** More streams were worth a read than are remembered. */
    private boolean wantedMore;

    private final PassedRows passed = new PassedRows();

    BehindStreams(StreamBudget budget) {
        this.streams = new StreamSet(budget);
    }

    boolean has(long stream) {
        return streams.contains(stream);
    }

    boolean hasRoomFor(long stream) {
        return streams.hasRoomFor(stream);
    }

    int size() {
        return streams.size();
    }

    StreamSet streams() {
        return streams;
    }

    /** @param reading whether a read is under way */
    void fall(long stream, boolean reading) {
        streams.add(stream);
        if (reading) {
            fellDuringRead.add(stream);
        }
    }

    /** A row of it was left. */
    void left(long stream, long seq) {
        passed.owed(stream, seq);
    }

    PassedRows passed() {
        return passed;
    }

    /** A read left nothing. Whether it caught up: it did not if it fell behind again since that read began. */
    boolean catchUp(long stream) {
        if (fellDuringRead.contains(stream)) {
            return false;
        }
        passed.forget(stream);
        return streams.remove(stream);
    }

    void readEnded() {
        fellDuringRead.clear();
    }

    boolean fellDuringRead(long stream) {
        return fellDuringRead.contains(stream);
    }

    /** A read of it may get on. */
    void want(long stream) {
        if (streams.contains(stream)) {
            if (wanted.size() >= MOST_WANTED) {
                wantedMore = true;
            } else if (isWanted.add(stream)) {
                wanted.add(stream);
            }
        }
    }

    boolean isAnyWanted() {
        return !wanted.isEmpty();
    }

    /** Hands out up to {@code most} streams to be read. */
    void takeWanted(int most, LongConsumer to) {
        for (int left = most; left > 0 && !wanted.isEmpty(); ) {
            long stream = wanted.remove();
            isWanted.remove(stream);
            if (streams.contains(stream)) {
                to.accept(stream);
                left--;
            }
        }
    }

    /** Whether the round should not wait: there is room for more of what was worth a read. */
    boolean isRoundWanted() {
        return wantedMore && wanted.size() <= MOST_WANTED / 2;
    }

    void roundBegan() {
        wantedMore = false;
    }

    void clear() {
        streams.clear();
        fellDuringRead.clear();
        wanted.clear();
        isWanted.clear();
        passed.clear();
        wantedMore = false;
    }
}
