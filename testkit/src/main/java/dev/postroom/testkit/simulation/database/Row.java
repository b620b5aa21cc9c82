package dev.postroom.testkit.simulation.database;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One row of the live table. Changed only through {@link LiveTable#change}, which keeps the indexes true. */
public final class Row {
    private final RowKey key;
    private final Stream stream;
    private final Content content;
    private final long tx;
    private final Instant createdAt;
    private final @Nullable Instant availableAt;

    @Nullable
    Instant retryAt;

    @Nullable
    Instant deadAt;

    int attempts;
    int crashes;
    long completed;
    boolean released;
    boolean holds = true;
    int version;

    /** Of a replay, where it goes and nowhere else. */
    @Nullable
    String onlyDestination;

    /** Which of all commits made it visible. */
    long commit;

    /** Somebody could see a row with a higher number before. */
    boolean committedLate;

    @Nullable
    FailureReason reason;

    @Nullable
    String error;

    Row(RowKey key, Stream stream, Content content, long tx, Times times) {
        this.key = key;
        this.stream = stream;
        this.content = content;
        this.tx = tx;
        this.createdAt = times.createdAt();
        this.availableAt = times.availableAt();
    }

    /** A row with the same content that replays this one. */
    Row again(RowKey newKey, long newTx, Instant now, String destination) {
        Row row = new Row(newKey, stream, content, newTx, new Times(createdAt, now));
        row.onlyDestination = destination;
        return row;
    }

    /** What its writer says about time. */
    record Times(Instant createdAt, @Nullable Instant availableAt) {}

    public RowKey key() {
        return key;
    }

    public Stream stream() {
        return stream;
    }

    /** Whether its writer gave a delivery time. */
    public boolean isDelayed() {
        return availableAt != null;
    }

    public int attempts() {
        return attempts;
    }

    public int crashes() {
        return crashes;
    }

    public long completed() {
        return completed;
    }

    public boolean released() {
        return released;
    }

    public int version() {
        return version;
    }

    public @Nullable FailureReason reason() {
        return reason;
    }

    public @Nullable String error() {
        return error;
    }

    /** Of a replay, the only destination that it goes to. */
    public @Nullable String onlyDestination() {
        return onlyDestination;
    }

    /** Whether a reader may have passed its number before it was visible. */
    public boolean isCommittedLate() {
        return committedLate;
    }

    long tx() {
        return tx;
    }

    /** Derived, as in the tables. */
    public RowState state() {
        if (deadAt != null) {
            return RowState.DEAD;
        }
        if (retryAt != null) {
            return RowState.WAITING;
        }
        return availableAt != null ? RowState.DELAYED : RowState.READY;
    }

    /** When it is to be tried, or null for READY rows. */
    public @Nullable Instant due() {
        return retryAt != null ? retryAt : availableAt;
    }

    /** Whether later rows of its stream wait for it. */
    public boolean isHolder() {
        return stream.isOrdered() && (deadAt != null || retryAt != null) && holds && !released;
    }

    /** Whether later rows of its stream wait for it before they can go: not once it failed and they go on without it. */
    boolean isInOrder() {
        return stream.isOrdered() && !released && (holds || (deadAt == null && retryAt == null));
    }

    /** What an answer that has it weighs. */
    long bytes(int maxPayloadBytes) {
        byte[] payload = Objects.requireNonNull(content.payload());
        long topic = stream.topic().length();
        return topic + (payload.length > maxPayloadBytes ? 0 : payload.length);
    }

    @Nullable
    String type() {
        return content.type();
    }

    /** Puts everything that changes back to what it is now. */
    Runnable restorer() {
        Instant retry = retryAt;
        Instant dead = deadAt;
        int attemptsNow = attempts;
        int crashesNow = crashes;
        long completedNow = completed;
        boolean releasedNow = released;
        boolean holdsNow = holds;
        int versionNow = version;
        FailureReason reasonNow = reason;
        String errorNow = error;
        return () -> {
            retryAt = retry;
            deadAt = dead;
            attempts = attemptsNow;
            crashes = crashesNow;
            completed = completedNow;
            released = releasedNow;
            holds = holdsNow;
            version = versionNow;
            reason = reasonNow;
            error = errorNow;
        };
    }

    StoredMessage read(int maxPayloadBytes) {
        byte[] payload = Objects.requireNonNull(content.payload());
        boolean fits = payload.length <= maxPayloadBytes;
        Content given = fits
                ? content
                : new Content(
                        content.type(),
                        content.contentType(),
                        content.contentEncoding(),
                        content.headers(),
                        null,
                        content.source());
        String defect =
                fits ? null : "the payload has " + payload.length + " bytes: raise postroom.limits.payload-bytes";
        StoredMessage.Progress progress =
                new StoredMessage.Progress(state(), attempts, crashes, completed, released, onlyDestination, version);
        return new StoredMessage(key, stream, given, progress, createdAt, due(), defect);
    }

    @Override
    public String toString() {
        return state() + " version " + version + " attempts " + attempts + " crashes " + crashes + " completed "
                + Long.toBinaryString(completed) + (released ? " released" : "") + (isHolder() ? " holds" : "")
                + (error == null ? "" : " (" + reason + ": " + error + ")");
    }
}
