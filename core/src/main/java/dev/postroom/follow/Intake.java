package dev.postroom.follow;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what reads brought: offers the rows of a page in the one order that is right, and carries followers along. The lanes
 * are those of the read: one that was lost meanwhile, or taken anew, is none of them.
 */
final class Intake {
    private final Memory memory;
    private final Topics topics;
    private final ToLongFunction<StoredMessage> confirmedAside;
    private final Consumer<Message> changedAside;
    private @Nullable Offer offer;
    private long pages;
    private long tellings;
    private long walks;

    /**
     * @param confirmedAside which destinations have confirmed a row without its being recorded
     * @param changedAside hears of a message that somebody has changed since it failed, if that could not be recorded
     */
    Intake(Memory memory, Topics topics, ToLongFunction<StoredMessage> confirmedAside, Consumer<Message> changedAside) {
        this.memory = memory;
        this.topics = topics;
        this.confirmedAside = confirmedAside;
        this.changedAside = changedAside;
    }

    /** Late rows first: an earlier row of a stream may be among them. Then the ranges from the lowest on, then what is due. */
    void take(PageAnswer.Page page, IntFunction<@Nullable Lane> lanes) {
        pages++;
        tellings += page.next().tellsLateRows() ? 1 : 0;
        for (FollowedMessage row : page.late()) {
            offer(row, lanes, Offer.From.LATE);
        }
        List<PageAnswer.RangeRows> ranges = page.ranges();
        if (ranges.size() > 1) {
            ranges = ranges.stream()
                    .sorted(Comparator.comparingLong(rows -> rows.range().after()))
                    .toList();
        }
        for (PageAnswer.RangeRows rows : ranges) {
            walk(rows, lanes);
        }
        for (FollowedMessage row : page.due().rows()) {
            offer(row, lanes, Offer.From.DUE);
        }
        for (PageAnswer.DueEnd end : page.due().ends()) {
            Lane lane = lanes.apply(end.position().lane());
            if (lane != null) {
                lane.readDueUpTo(new Due(end.position().due(), end.position().seq()));
            }
        }
    }

    private void offer(FollowedMessage row, IntFunction<@Nullable Lane> lanes, Offer.From from) {
        Lane lane = lanes.apply(row.key().lane());
        if (lane != null) {
            Offer made = offerOf(row, lane);
            if (made != null) {
                lane.offer(made, from, pages);
            }
        }
    }

    /**
     * A range that was read whole carries followers as far as the foremost stands, also where the reader found that the numbers end before: what
     * commits there is late already. Or one that lags would not catch up before somebody writes, where that end goes down with the last row.
     */
    private void walk(PageAnswer.RangeRows rows, IntFunction<@Nullable Lane> lanes) {
        PageRequest.Range range = rows.range();
        Lane lane = lanes.apply(range.lane());
        if (lane == null) {
            return;
        }
        Walk walk = new Walk(lane, range.after(), pages, ++walks);
        for (FollowedMessage row : rows.rows()) {
            Offer made = offerOf(row, lane);
            if (made != null) {
                walk.over(made);
            }
        }
        walk.end(rows.cut() ? rows.end() : Math.max(rows.end(), Math.min(range.upTo(), lane.reach())));
    }

    /** The sweep has been everywhere; where pages do not tell late rows, it does. */
    void sweptAll(boolean pagesTell) {
        tellings += pagesTell ? 0 : 1;
        topics.sweptAll();
    }

    /** How often all that had been committed before was told. */
    long tellings() {
        return tellings;
    }

    /** Null when nobody takes it. */
    private @Nullable Offer offerOf(FollowedMessage row, Lane lane) {
        Message message = memory.find(row.key().id());
        Result aside = message == null ? null : message.setAside();
        if (message != null && aside != null && row.message().progress().version() > aside.version()) {
            changedAside.accept(message);
            message = memory.find(row.key().id());
        }
        if (message == null) {
            Topic topic = topics.topic(row.message().stream().topic());
            long route = topics.route(topic, row.message().progress().onlyDestination());
            if ((route & ~row.message().progress().completed()) == 0) {
                return null;
            }
            message = new Message(row, lane, topic, route);
            message.arrivedAt(confirmedAside.applyAsLong(row.message()));
        }
        offer = offer == null ? new Offer(row, message) : offer.of(row, message);
        return offer;
    }

    /**
     * Takes in what was read of one stream for one destination: everything that the followers have reached, up to and including the
     * first that holds the others.
     */
    void take(StreamRead.Rows rows, Track track, Instant at) {
        long stream = rows.ask().stream();
        BehindStreams behind = track.behind();
        boolean nothingOwed = true;
        boolean taken = false;
        Set<Stream> held = new HashSet<>();
        Set<Stream> ahead = new HashSet<>();
        for (FollowedMessage row : rows.rows()) {
            // A stream of another lane may have the same id by chance.
            Offer made = row.key().lane() == track.lane().number() ? offerOf(row, track.lane()) : null;
            if (made == null || !made.isOwedTo(track.destination())) {
                continue;
            }
            nothingOwed = false;
            // So may another one of this lane: it waits for its own holders only.
            Stream own = new Stream(
                    made.message().tenant(), "", row.message().stream().key());
            RowState state = row.message().progress().state();
            boolean isDue =
                    row.message().due() == null || !at.isBefore(row.message().due());
            if (held.contains(own) || ahead.contains(own) || (state == RowState.DELAYED && !isDue)) {
                continue;
            }
            if (!behind.passed().mayTake(rows.ask(), row.seq(), tellings)) {
                behind.passed().saw(rows, tellings);
                return;
            }
            if (state == RowState.DEAD || (state == RowState.WAITING && !isDue)) {
                held.add(own);
                continue;
            }
            Offer.Answer answer = track.offer(made, Offer.From.STREAM, pages);
            taken |= answer == Offer.Answer.TAKEN;
            if (answer == Offer.Answer.LEFT && track.isRestAhead(made)) {
                if (held.isEmpty()) {
                    track.catchUp(stream);
                }
                return;
            }
            if (answer == Offer.Answer.LEFT && made.holdsStream()) {
                ahead.add(own); // its tenant's follower brings the rest of it, and nothing of another tenant
            }
            if (answer == Offer.Answer.STOP || answer == Offer.Answer.OVER_SHARE) {
                if (answer == Offer.Answer.STOP) {
                    behind.want(stream);
                }
                return;
            }
            if (state == RowState.WAITING || answer == Offer.Answer.FAILING) {
                held.add(own);
            }
        }
        if (rows.cut()) {
            if (nothingOwed) {
                behind.passed().pass(stream, rows.end());
            }
            if ((taken || nothingOwed) && held.isEmpty()) {
                track.wantIfFewLeft(stream);
            }
        } else if (held.isEmpty()) {
            track.catchUp(stream);
        }
    }

    /** Followers go back before the lowest late rows; what comes next is read from the snapshot that found these. */
    void take(LateFloor.Part floor, IntFunction<@Nullable Lane> lanes) {
        for (PageRequest.Reach lowest : floor.lowest()) {
            Lane lane = lanes.apply(lowest.lane());
            if (lane != null) {
                lane.goBackBefore(lowest.highest());
            }
        }
    }

    /**
     * Compares the rows behind the followers with what is known of them.
     *
     * @return how many were nowhere: their followers have gone back before them
     */
    int compare(PageAnswer.Swept swept, IntFunction<@Nullable Lane> lanes) {
        int found = 0;
        for (PageAnswer.SweptRow row : swept.rows()) {
            Lane lane = lanes.apply(row.key().lane());
            Offer made = lane == null ? null : offerOf(asRow(row), lane);
            if (lane != null && made != null) {
                found += lane.goBackIfMissing(made) ? 1 : 0;
            }
        }
        return found;
    }

    private static FollowedMessage asRow(PageAnswer.SweptRow row) {
        StoredMessage message = new StoredMessage(
                row.key(),
                row.stream(),
                new Content(row.type(), "", null, Map.of(), new byte[0], null),
                new StoredMessage.Progress(
                        RowState.READY, 0, 0, row.completed(), row.released(), row.onlyDestination(), 0),
                Instant.EPOCH,
                null,
                null);
        return new FollowedMessage(message, row.streamId(), true, 0, List.of());
    }
}
