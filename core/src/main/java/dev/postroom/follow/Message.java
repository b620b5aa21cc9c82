package dev.postroom.follow;

import dev.postroom.engine.Counts;
import dev.postroom.spi.Content;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row that was read, and its deliveries while it is in memory. */
final class Message {
    private static final int OVERHEAD = 200;

    private final Lane lane;
    private final Topic topic;
    private final long route;
    private final int weight;
    private FollowedMessage row;
    /** Its deliveries, each the {@link Delivery#sibling} of the one before. */
    private @Nullable Delivery first;

    private int attempts;
    /** Where it has arrived, as far as that is recorded, or cannot be. */
    private long arrived;
    /** Waits for its turn to be settled, or for what is on its way to the database. */
    private boolean collected;

    private boolean suspect;
    private int crashes;
    /** Its crash was counted, so it may go although it may kill this process. */
    private boolean cleared;

    private boolean beingCounted;
    private @Nullable Result setAside;

    /** Its row has changed since it came: it waits for its due time, or is dead, whatever the read saw that brought it. */
    private boolean noLongerReady;

    /** @param route where it has to go in the end: by its topic, or where its replay goes */
    Message(FollowedMessage row, Lane lane, Topic topic, long route) {
        this.row = row;
        this.lane = lane;
        this.topic = topic;
        this.route = route;
        this.weight = weigh(row);
        this.attempts = row.message().progress().attempts();
        this.arrived = row.message().progress().completed();
        this.suspect = lane.isSuspect(row.key());
        believeRow();
    }

    FollowedMessage row() {
        return row;
    }

    RowKey key() {
        return row.key();
    }

    long seq() {
        return row.seq();
    }

    long stream() {
        return row.stream();
    }

    Lane lane() {
        return lane;
    }

    Topic topic() {
        return topic;
    }

    /** The topic when its writer gave none. */
    String type() {
        String type = row.message().content().type();
        return type == null ? topic.name() : type;
    }

    String tenant() {
        return row.message().stream().tenant();
    }

    long route() {
        return route;
    }

    /** The bytes that it is counted as, from when it came. */
    int weight() {
        return weight;
    }

    private static int weigh(FollowedMessage row) {
        Content content = row.message().content();
        byte[] payload = content.payload();
        int weight = OVERHEAD + (payload == null ? 0 : payload.length);
        if (!content.headers().isEmpty()) {
            for (Map.Entry<String, String> header : content.headers().entrySet()) {
                weight += header.getKey().length() + header.getValue().length();
            }
        }
        return weight;
    }

    /** Whether its row can be found by its number: not if it was read by its due time, or has failed since. */
    boolean isReady() {
        return !noLongerReady && row.message().progress().state() == RowState.READY;
    }

    @Nullable
    Delivery first() {
        return first;
    }

    @Nullable
    Delivery at(Destination destination) {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.destination() == destination) {
                return delivery;
            }
        }
        return null;
    }

    boolean isInMemory() {
        return first != null;
    }

    Delivery deliver(Track track, int version) {
        first = new Delivery(this, track, version, first);
        return first;
    }

    void letGo(Delivery delivery) {
        if (first == delivery) {
            first = delivery.sibling();
            return;
        }
        for (Delivery other = first; other != null; other = other.sibling()) {
            if (other.sibling() == delivery) {
                other.skipSibling();
                return;
            }
        }
        throw new IllegalStateException("not of this message: " + delivery);
    }

    /** What a younger read saw. */
    void adopt(FollowedMessage younger) {
        row = younger;
        attempts = younger.message().progress().attempts();
        if (!beingCounted) {
            believeRow();
        }
    }

    // --- what is recorded of it ---

    int attempts() {
        return attempts;
    }

    /** A failure was recorded, and spent an attempt or not. */
    void failedTo(int newAttempts) {
        attempts = newAttempts;
    }

    /** Bits of the destinations that have it. */
    long arrived() {
        return arrived;
    }

    boolean hasArrivedAt(long destinations) {
        return (arrived & destinations) != 0;
    }

    boolean hasArrivedEverywhere() {
        return (route & ~arrived) == 0;
    }

    void arrivedAt(long destinations) {
        arrived |= destinations;
    }

    /** Another server may not know of it. */
    void forgetWhatWasRecorded() {
        arrived = 0;
    }

    boolean isCollected() {
        return collected;
    }

    void collected(boolean now) {
        collected = now;
    }

    /** Its failure, if that cannot be recorded: it stays as it is. */
    @Nullable
    Result setAside() {
        return setAside;
    }

    void setAside(@Nullable Result failure) {
        setAside = failure;
    }

    // --- whether it may have killed a relay ---

    boolean isSuspect() {
        return suspect;
    }

    boolean isCleared() {
        return cleared;
    }

    int crashes() {
        return crashes;
    }

    boolean isBeingCounted() {
        return beingCounted;
    }

    void countingBegan() {
        beingCounted = true;
    }

    void countingEnded() {
        beingCounted = false;
    }

    /** Its crash counts as counted only where the row says so: it may have left memory since, or an answer was lost. */
    void believeRow() {
        crashes = row.message().progress().crashes();
        cleared = suspect && lane.hasCounted(row.key(), crashes);
    }

    /** Recorded: with one more crash it may go, with one less it is like any other. */
    void counted(int newCrashes, boolean acquitted) {
        crashes = newCrashes;
        cleared = true;
        suspect &= !acquitted;
    }

    boolean isAnythingSent() {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.isSent()) {
                return true;
            }
        }
        return false;
    }

    /** Whether what a delivery has come to is on its way to the database. */
    boolean isAnythingSettling() {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.isSettling()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a delivery has come to something that is not recorded. */
    boolean isAnythingUnsettled() {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.isConfirmed() || delivery.isFailing()) {
                return true;
            }
        }
        return false;
    }

    /** The row has this version now, and what was decided on the one before still counts. */
    void raiseVersion(int before) {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.version() == before) {
                delivery.adoptVersion(Counts.next(before));
            }
        }
    }

    // --- its deliveries ---

    /** What was not sent leaves memory. */
    void dropUnsent() {
        for (Delivery delivery = first; delivery != null; delivery = delivery.sibling()) {
            if (delivery.isQueued()) {
                delivery.track().drop(delivery);
            }
        }
    }

    /** A read found it by its due time: it failed somewhere, or somebody else changed it. */
    void noLongerReady() {
        noLongerReady = true;
    }

    @Override
    public String toString() {
        return "message " + seq() + " of lane " + lane.number();
    }
}
