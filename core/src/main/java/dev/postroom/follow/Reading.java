package dev.postroom.follow;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Event;
import dev.postroom.engine.ReadTrouble;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The reader's desk: one read at a time, each answered before the next begins. Decides which, and when. */
final class Reading {
    private static final long RESCAN = Duration.ofSeconds(30).toNanos();
    private static final long MISSED = Duration.ofSeconds(10).toNanos();
    private static final long PAUSES = Duration.ofSeconds(1).toNanos();
    private static final long LEAST_AFTER_FAILURE = Duration.ofMillis(100).toNanos();

    private final Turn turn;
    private final EngineSettings settings;
    private final EngineListener listener;
    private final Memory memory;
    private final Map<Integer, Lane> lanes;
    private final Intake intake;
    private final StreamReads streams;
    private final PagePlan plan;
    private final ReadTrouble trouble = new ReadTrouble();
    private final Consumer<Pauses> pauses;
    private final long pollMin;
    private final long pollMax;

    private Command.@Nullable ForReader outstanding;
    /** The outstanding page is of all lanes, not only of those that were hinted at. */
    private boolean ofAll;

    /** The lanes as they were when the outstanding read began. */
    private Map<Integer, Lane> lanesOfRead = Map.of();

    private FollowReader.@Nullable Mark mark;
    /** A late part was cut off: the search for the lowest late row, from the mark of its latest answer on. */
    private FollowReader.@Nullable Mark floorFrom;

    private List<PageRequest.Reach> floorReaches = List.of();
    private boolean woken;
    /** Lanes in which something was committed: it is read there, without waiting for the others' turn. */
    private final Set<Integer> hinted = new HashSet<>();

    /** The latest page got on, and there is more. */
    private boolean more;

    private boolean streamsWereLast;
    private long poll;
    private long nextPage = Long.MIN_VALUE;
    private long nextDue = Long.MIN_VALUE;
    private long nextRescan = Long.MIN_VALUE;
    private long nextMissed = Long.MIN_VALUE;
    private long nextPauses = Long.MIN_VALUE;
    private long retryAt = Long.MIN_VALUE;

    Reading(
            Turn turn,
            EngineSettings settings,
            EngineListener listener,
            Memory memory,
            Map<Integer, Lane> lanes,
            Intake intake,
            Consumer<Pauses> pauses) {
        this.turn = turn;
        this.settings = settings;
        this.listener = listener;
        this.memory = memory;
        this.lanes = lanes;
        this.intake = intake;
        this.pauses = pauses;
        this.pollMin = settings.pollMin().toNanos();
        this.pollMax = settings.pollMax().toNanos();
        this.poll = pollMin;
        this.plan = new PagePlan(settings, lanes.values());
        this.streams = new StreamReads(settings, lanes.values());
    }

    /** Something may be taken that could not. */
    void wake() {
        woken = true;
    }

    /** Somebody committed something. */
    void wake(Event.Woken hint) {
        if (hint.seq() == 0) {
            woken = true;
        } else if (lanes.containsKey(hint.lane())) {
            hinted.add(hint.lane());
        }
    }

    /** Messages have left memory. */
    void wakeIfThereIsRoom() {
        more |= plan.isMore();
    }

    ReadTrouble trouble() {
        return trouble;
    }

    FollowReader.@Nullable Mark mark() {
        return mark;
    }

    /** When {@link #turn} has something to do. */
    long nextTurn() {
        if (outstanding != null || turn.isStopping()) {
            return Long.MAX_VALUE;
        }
        long next = nextPauses;
        if (!lanes.isEmpty()) {
            boolean now = woken || more || !hinted.isEmpty() || floorFrom != null || streams.isAnyWanted();
            next = now ? turn.nanos() : Math.min(next, Math.min(nextPage, nextDue));
            next = Math.min(next, streams.nextRound());
        }
        return Math.max(next, retryAt);
    }

    void turn() {
        if (outstanding != null || turn.isStopping() || turn.isBefore(retryAt)) {
            return;
        }
        Command.ForReader next = choose();
        if (next != null) {
            lanesOfRead = new TreeMap<>(lanes);
            outstanding = next;
            memory.readBegan();
            turn.give(next);
        }
    }

    private Command.@Nullable ForReader choose() {
        if (!turn.isBefore(nextPauses)) {
            nextPauses = turn.nanos() + Math.min(pollMax, PAUSES);
            return new Command.ReadPauses();
        }
        if (lanes.isEmpty()) {
            return null;
        }
        FollowReader.Mark from = floorFrom;
        if (from != null) {
            return new Command.FindLateFloor(
                    from, floorReaches, settings.bounds().lateRows());
        }
        boolean allDue = woken || more || !turn.isBefore(nextPage) || !turn.isBefore(nextDue);
        boolean pageDue = allDue || !hinted.isEmpty();
        if (!(pageDue && streamsWereLast)) {
            Command.ForReader read = streams.next(bounds(), turn.nanos());
            if (read != null) {
                streamsWereLast = true;
                return read;
            }
        }
        return pageDue ? new Command.Follow(readPage(allDue)) : null;
    }

    private ReadBounds bounds() {
        return new ReadBounds(settings.limits(), Math.max(1, plan.roomForBytes()));
    }

    private PageRequest readPage(boolean allDue) {
        streamsWereLast = false;
        Set<Integer> where = Set.copyOf(hinted);
        hinted.clear();
        FollowReader.Mark known = mark;
        ofAll = allDue || known == null;
        if (known != null && !ofAll) {
            return plan.nextOf(where, known, bounds(), turn.nanos());
        }
        woken = false;
        boolean due = !turn.isBefore(nextDue);
        if (due && !turn.isBefore(nextRescan)) {
            nextRescan = turn.nanos() + RESCAN;
            lanes.values().forEach(Lane::rescanDue);
        }
        boolean missed = !turn.isBefore(nextMissed);
        if (missed) {
            nextMissed = turn.nanos() + MISSED;
        }
        return plan.nextOfAll(mark, due, missed, bounds(), turn.nanos());
    }

    private @Nullable Lane laneOfRead(int number) {
        Lane lane = lanes.get(number);
        return lane != null && !lane.isLeaving() && lanesOfRead.get(number) == lane ? lane : null;
    }

    // --- answers ---

    void pageCame(PageAnswer answer) {
        Command.Follow asked = (Command.Follow) answered();
        if (answer instanceof PageAnswer.Page page) {
            take(page, asked.request());
        } else if (answer instanceof PageAnswer.LateCut) {
            floorFrom = Objects.requireNonNull(asked.request().previous());
            floorReaches = asked.request().reaches();
        } else {
            startOver();
        }
        endRead();
    }

    private void take(PageAnswer.Page page, PageRequest request) {
        long before = plan.progress();
        int had = memory.size();
        intake.take(page, this::laneOfRead);
        intake.compare(page.swept(), this::laneOfRead);
        boolean sweptAll = plan.came(request, page, this::laneOfRead, turn.nanos());
        if (sweptAll) {
            intake.sweptAll(page.next().tellsLateRows());
        }
        if (streams.told(intake.tellings())) {
            woken = true;
        }
        mark = page.next();
        int found = plan.found(page);
        boolean gotOn = plan.progress() != before || memory.size() > had;
        more = gotOn && plan.isMore();
        if (ofAll) {
            poll = found > 0 ? pollMin : Math.min(pollMax, poll * 2);
            nextPage = turn.nanos() + poll;
        }
        if (!request.due().lanes().isEmpty()) {
            boolean cut = page.due().ends().stream().anyMatch(PageAnswer.DueEnd::cut);
            nextDue = cut ? turn.nanos() : turn.nanos() + Math.max(pollMin, Math.min(poll, pollMax / 2));
        }
        if (found > 0) {
            listener.fetched(found);
        }
    }

    void floorCame(LateFloor floor) {
        answered();
        if (floor instanceof LateFloor.Part part) {
            if (part.complete()) {
                intake.take(part, this::laneOfRead);
                mark = part.next();
                floorFrom = null;
                woken = true;
            } else {
                floorFrom = part.next();
            }
        } else {
            startOver();
        }
        endRead();
    }

    void streamsCame(StreamRead read) {
        answered();
        streams.came(read, intake, this::laneOfRead);
        woken |= streams.told(intake.tellings());
        endRead();
    }

    void heldCame(List<FollowReader.Held> held) {
        answered();
        streams.heldCame(held);
        endRead();
    }

    void pausesCame(Pauses now) {
        answered();
        pauses.accept(now);
        endRead();
    }

    /** Nothing came, and nothing has changed: the mark says which server it is of. */
    void failed(String error) {
        Command.ForReader question = outstanding;
        if (question != null) {
            trouble.failed(question, error, turn.nanos());
        }
        outstanding = null;
        streams.failed();
        woken = true;
        retryAt = turn.nanos() + Math.max(pollMin, LEAST_AFTER_FAILURE);
        endRead();
    }

    private Command.ForReader answered() {
        Command.ForReader question = Objects.requireNonNull(outstanding, "nothing was asked");
        trouble.answered(question);
        outstanding = null;
        return question;
    }

    private void endRead() {
        memory.readEnded();
        lanes.values().forEach(Lane::readEnded);
    }

    private void startOver() {
        mark = null;
        floorFrom = null;
        woken = true;
        lanes.values().forEach(Lane::startOver);
        memory.anotherServer();
    }
}
