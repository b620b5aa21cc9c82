package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.engine.Credit;
import dev.postroom.spi.Content;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One lane with the destinations d and e, for examples: topic {@code a} goes to d, {@code b} to both, {@code skip} to d with the
 * policy SKIP. A row says what it is: {@code row(10, "K", "a")}.
 */
final class LaneFixture {
    static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final FollowReader.Mark MARK = new FollowReader.Mark() {};
    private static final long HOUR = Duration.ofHours(1).toNanos();

    final Memory memory = new Memory();
    final Map<String, Destination> destinations = new TreeMap<>();
    final List<String> opened = new ArrayList<>();
    final Traffic traffic;
    final Intake intake;
    final Lane lane;
    /** Whether each failure is the last that its message has. */
    boolean lastTry;

    private long now;

    LaneFixture() {
        this(new Destination.Share(100, 1_000_000, 64, Integer.MAX_VALUE, 8, 8));
    }

    LaneFixture(Destination.Share share) {
        this(share, 1_000_000, Destination.Pipeline.NONE);
    }

    LaneFixture(Destination.Share share, int streamIds, Destination.Pipeline pipeline) {
        for (String name : List.of("d", "e")) {
            long mask = name.equals("d") ? 1 : 2;
            destinations.put(
                    name,
                    new Destination(
                            name,
                            mask,
                            share,
                            breaker(),
                            new FailureRuns(4),
                            Credit.UNLIMITED,
                            pipeline,
                            new ConstantCrowd(share.tenantMessages() < Integer.MAX_VALUE),
                            new StreamBudget(streamIds)));
        }
        traffic = new Traffic(memory, name -> breaker(), (delivery, failed) -> lastTry, new Traffic.Listener() {
            @Override
            public void held(Destination destination, @Nullable Gate gate, boolean held, String why) {}

            @Override
            public void opened(Destination destination) {
                opened.add(destination.name());
            }
        });
        intake = new Intake(memory, new ByName(), row -> 0, message -> {});
        lane = new Lane(new LaneStore.Lease(0, 1, false, 0, 0), Long.MAX_VALUE, memory, destinations.values());
    }

    private static final class ByName implements Topics {
        @Override
        public Topic topic(String name) {
            return new Topic(name, name.equals("b") ? 3 : name.equals("nobody") ? 0 : 1, !name.equals("skip"));
        }

        @Override
        public long route(Topic topic, @Nullable String onlyDestination) {
            return topic.route();
        }
    }

    private static Breaker breaker() {
        return new Breaker(Duration.ofSeconds(1), () -> 0);
    }

    Destination d() {
        return Objects.requireNonNull(destinations.get("d"));
    }

    Destination e() {
        return Objects.requireNonNull(destinations.get("e"));
    }

    Track atD() {
        return lane.track(d());
    }

    Track atE() {
        return lane.track(e());
    }

    // --- rows ---

    static Row row(long seq, @Nullable String key, String topic) {
        return new Row(seq, key, topic);
    }

    /** A row, as a read sees it. */
    static final class Row {
        private final long seq;
        private long id;
        private final @Nullable String key;
        private final String topic;
        private String tenant = "";
        private RowState state = RowState.READY;
        private @Nullable Instant due;
        private long heldAt;
        private long completed;
        private int version;
        private boolean holds = true;
        private boolean released;
        private int bytes;
        private List<FollowedMessage.Earlier> earlier = List.of();

        private Row(long seq, @Nullable String key, String topic) {
            this.seq = seq;
            this.id = seq;
            this.key = key;
            this.topic = topic;
        }

        Row ofTenant(String name) {
            tenant = name;
            return this;
        }

        /** It failed, and is tried again so many seconds from now. */
        Row waiting(int seconds) {
            state = RowState.WAITING;
            due = NOW.plusSeconds(seconds);
            version++;
            return this;
        }

        Row delayed(int seconds) {
            state = RowState.DELAYED;
            due = NOW.plusSeconds(seconds);
            return this;
        }

        Row dead() {
            state = RowState.DEAD;
            return this;
        }

        Row heldAt(long destinations) {
            heldAt = destinations;
            return this;
        }

        Row arrivedAt(long destinations) {
            completed = destinations;
            return this;
        }

        /** Its payload. */
        Row ofBytes(int many) {
            bytes = many;
            return this;
        }

        Row released() {
            released = true;
            return this;
        }

        Row version(int newVersion) {
            version = newVersion;
            return this;
        }

        Row after(long earlierSeq) {
            earlier = List.of(new FollowedMessage.Earlier(earlierSeq, -1));
            return this;
        }

        /** Another one of its number. */
        Row id(long another) {
            id = another;
            return this;
        }

        RowKey key() {
            return new RowKey(0, seq, new UUID(0, id));
        }

        long stream() {
            return key == null ? 0 : (tenant + key).hashCode();
        }

        FollowedMessage read() {
            return new FollowedMessage(
                    new StoredMessage(
                            key(),
                            new Stream(tenant, topic, key),
                            new Content(null, "text/plain", null, Map.of(), new byte[bytes], null),
                            new StoredMessage.Progress(state, 0, 0, completed, released, null, version),
                            Instant.EPOCH,
                            due,
                            null),
                    stream(),
                    holds,
                    heldAt,
                    earlier);
        }
    }

    // --- reads ---

    /** A page that begins and is answered at once. */
    Page page() {
        return new Page();
    }

    /** What a page brings. */
    final class Page {
        private final List<FollowedMessage> late = new ArrayList<>();
        private final List<PageAnswer.RangeRows> ranges = new ArrayList<>();
        private final List<FollowedMessage> due = new ArrayList<>();

        Page late(Row... rows) {
            Arrays.stream(rows).map(Row::read).forEach(late::add);
            return this;
        }

        /** All rows behind a number, up to another one. */
        Page range(long after, long end, Row... rows) {
            ranges.add(new PageAnswer.RangeRows(
                    new PageRequest.Range(0, after, Long.MAX_VALUE, 1_000),
                    Arrays.stream(rows).map(Row::read).toList(),
                    end,
                    false));
            return this;
        }

        Page due(Row... rows) {
            Arrays.stream(rows).map(Row::read).forEach(due::add);
            return this;
        }

        void comes() {
            answer();
            endRead();
        }

        /** Without the end of the read, so that what happens next happens during it. */
        void answer() {
            FollowedMessage last = due.isEmpty() ? null : due.get(due.size() - 1);
            List<PageAnswer.DueEnd> ends = last == null
                    ? List.of()
                    : List.of(new PageAnswer.DueEnd(
                            new PageRequest.DuePosition(0, last.message().due(), last.seq()), false));
            intake.take(
                    new PageAnswer.Page(
                            late,
                            ranges,
                            new PageAnswer.DueRows(due, ends),
                            new PageAnswer.Swept(List.of(), List.of()),
                            MARK,
                            NOW),
                    number -> lane);
        }
    }

    /** Reads from the beginning up to there. */
    void read(long end, Row... rows) {
        page().range(lane.track(d()).everything().position(), end, rows).comes();
    }

    void readBegins() {
        memory.readBegan();
    }

    void endRead() {
        memory.readEnded();
        lane.readEnded();
    }

    void readStream(Track track, Row... rows) {
        streamAnswer(track, false, rows);
        endRead();
    }

    void streamAnswer(Track track, boolean cut, Row... rows) {
        long last = rows.length == 0 ? 0 : rows[rows.length - 1].seq;
        intake.take(
                new StreamRead.Rows(
                        StreamRead.Ask.all(rows.length == 0 ? "K".hashCode() : rows[0].stream(), 64),
                        Arrays.stream(rows).map(Row::read).toList(),
                        last,
                        cut),
                track,
                NOW);
    }

    // --- deliveries ---

    Delivery delivery(long seq, Destination destination) {
        return Objects.requireNonNull(
                message(seq).at(destination), "no delivery of " + seq + " to " + destination.name());
    }

    Message message(long seq) {
        return Objects.requireNonNull(memory.find(new UUID(0, seq)), "not in memory: " + seq);
    }

    /** The seqs in memory for a destination, in order. */
    List<Long> has(Destination destination) {
        return memory.messages().stream()
                .filter(message -> message.at(destination) != null)
                .map(Message::seq)
                .sorted()
                .toList();
    }

    /** The seqs whose turn it is there, in order. */
    List<Long> sendable(Destination destination) {
        return memory.messages().stream()
                .map(message -> message.at(destination))
                .filter(delivery -> delivery != null && delivery.mayGo() && destination.lets(delivery, now += HOUR))
                .map(Delivery::seq)
                .sorted()
                .toList();
    }

    Delivery send(long seq, Destination destination) {
        Delivery delivery = delivery(seq, destination);
        boolean probe = !destination.isFlowing() || destination.closedGate(delivery.message()) != null;
        delivery.track().sent(delivery, probe, now);
        return delivery;
    }

    void confirm(long seq, Destination destination) {
        traffic.confirmed(delivery(seq, destination));
    }

    void fail(long seq, Destination destination) {
        traffic.failed(
                delivery(seq, destination),
                (Outcome.Failed) Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"),
                now += HOUR);
    }

    void answers(long seq, Destination destination, Outcome outcome) {
        traffic.failed(delivery(seq, destination), (Outcome.Failed) outcome, now += HOUR);
    }

    void settle(long seq) {
        settled(seq);
    }

    /** Its failure was not recorded, because somebody changed its row. */
    void notRecorded(long seq) {
        Objects.requireNonNull(Result.of(message(seq)), "nothing to record of " + seq)
                .stale();
    }

    /** What was recorded of it. */
    Result settled(long seq) {
        Result result = Objects.requireNonNull(Result.of(message(seq)), "nothing to record of " + seq);
        result.recorded();
        return result;
    }

    void deliver(long seq, Destination destination) {
        send(seq, destination);
        confirm(seq, destination);
        settle(seq);
    }

    @Nullable
    Follower part(Track track) {
        return track.parts().isEmpty() ? null : track.parts().get(0);
    }
}
