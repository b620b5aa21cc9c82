package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.engine.Credit;
import dev.postroom.engine.Locating.Whereabouts;
import dev.postroom.follow.Scope.Budget;
import dev.postroom.follow.SmallDatabase.Phase;
import dev.postroom.follow.SmallDatabase.Row;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A small scope as it is at one moment: a few rows in a database, the real objects of one lane, one outstanding read, and what
 * transports and operators may do next. What happens is an event; the same events lead to the same state.
 */
final class SmallWorld {
    static final ReadBounds BOUNDS = new ReadBounds(RowLimits.ofPayload(1_000), Long.MAX_VALUE);
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final int MOST_STREAMS = 4;

    /** A read begins with its snapshot, and is answered, or fails, by a later event. */
    private enum Reading {
        NONE,
        PAGE,
        STREAM,
        FLOOR
    }

    final Scope scope;
    final SmallDatabase database;
    final Budgets budgets;
    private Memory memory = new Memory();
    private Map<String, Destination> destinations = new TreeMap<>();
    private Traffic traffic;
    private Intake intake;
    private Lane lane;
    private SmallDatabase.@Nullable Seen mark;
    private boolean floorNeeded;
    private Reading reading = Reading.NONE;
    private @Nullable Object answer;
    private @Nullable Track readTrack;
    /** What the outstanding read asked for and saw, for the fingerprint. */
    private long readPrint;

    private final @Nullable Result[] settling;
    private final boolean[] recorded;
    /** Handed to a transport that keeps order behind one that failed: they cannot arrive. By destination, a bit per row. */
    private final int[] doomed = new int[2];

    private long nanos;
    private @Nullable String violation;
    private boolean restarted;

    /** In a continuation: bits of destinations, or topics' gates, that stay closed whatever is tried. */
    int stayClosed;

    boolean gatesStay;

    SmallWorld(Scope scope) {
        this.scope = scope;
        this.database = new SmallDatabase(scope);
        this.budgets = new Budgets(scope.budgets);
        this.settling = new Result[database.rows.length];
        this.recorded = new boolean[database.rows.length];
        build(List.of(), List.of());
    }

    /** The objects of a relay that has just taken the lane. */
    private void build(List<Integer> pausedDestinations, List<String> pausedTopics) {
        memory = new Memory();
        destinations = new TreeMap<>();
        Destination.Pipeline pipeline =
                scope.pipelined ? (ahead, topic) -> ahead.name().equals(topic.name()) : Destination.Pipeline.NONE;
        for (int d = 0; d < 2; d++) {
            String name = d == 0 ? "d" : "e";
            destinations.put(
                    name,
                    new Destination(
                            name,
                            1L << d,
                            new Destination.Share(
                                    scope.share,
                                    Long.MAX_VALUE / 2,
                                    scope.streamShare,
                                    scope.tenantShare < 9 ? scope.tenantShare : Integer.MAX_VALUE,
                                    1,
                                    scope.parts),
                            breaker(),
                            new FailureRuns(0),
                            Credit.UNLIMITED,
                            pipeline,
                            new ConstantCrowd(scope.tenantShare < 9),
                            new StreamBudget(scope.setMax)));
        }
        traffic = new Traffic(memory, name -> breaker(), (delivery, failed) -> false, new Traffic.Listener() {
            @Override
            public void held(Destination destination, @Nullable Gate gate, boolean held, String why) {}

            @Override
            public void opened(Destination destination) {}
        });
        intake = new Intake(memory, new ByName(), row -> 0, message -> {});
        lane = new Lane(new LaneStore.Lease(0, 1, false, 0, 0), Long.MAX_VALUE, memory, destinations.values());
        pausedDestinations.forEach(d -> traffic.pause(destination(d), "operator"));
        for (String topic : pausedTopics) {
            traffic.pause(destination(topic.charAt(1) - '0'), topic.substring(0, 1), "operator");
        }
    }

    private final class ByName implements Topics {
        @Override
        public Topic topic(String name) {
            int topic = name.equals("a") ? 0 : 1;
            return new Topic(name, Scope.route(topic), !scope.skip[topic]);
        }

        @Override
        public long route(Topic topic, @Nullable String onlyDestination) {
            return topic.route();
        }
    }

    private static Breaker breaker() {
        return new Breaker(Duration.ofSeconds(1), () -> 0);
    }

    Destination destination(int d) {
        return destinations.get(d == 0 ? "d" : "e");
    }

    Track track(int d) {
        return lane.track(destination(d));
    }

    @Nullable
    String violation() {
        return violation;
    }

    private @Nullable Message message(int row) {
        return memory.find(database.rows[row].key.id());
    }

    @Nullable
    Delivery delivery(int row, int d) {
        Message message = message(row);
        return message == null ? null : message.at(destination(d));
    }

    private boolean isClosed(int d) {
        return !destination(d).isFlowing();
    }

    private @Nullable Gate closedGate(int topic, int d) {
        Gate gate = destination(d).gate(Gate.Kind.TOPIC, topic == 0 ? "a" : "b");
        return gate != null && gate.isClosed() ? gate : null;
    }

    private boolean may(Budget what) {
        return budgets.of(what) > 0;
    }

    // --- which events there are ---

    List<SmallEvent> events() {
        List<SmallEvent> events = new ArrayList<>();
        for (int i = 0; i < database.rows.length; i++) {
            if (database.mayCommit(i)) {
                events.add(new SmallEvent(SmallEvent.Kind.COMMIT, i, 0));
            }
        }
        readerEvents(events);
        for (int i = 0; i < database.rows.length; i++) {
            messageEvents(events, i);
        }
        for (int d = 0; d < (scope.closesE ? 2 : 1); d++) {
            if (!scope.probes) {
                if (isClosed(d)) {
                    events.add(new SmallEvent(SmallEvent.Kind.OPEN, 0, d));
                } else if (may(Budget.CLOSE)) {
                    events.add(new SmallEvent(SmallEvent.Kind.CLOSE, 0, d));
                }
            }
        }
        for (int d = 0; d < (scope.gatesAtE ? 2 : 1) && !scope.topicProbes; d++) {
            for (int topic = 0; topic < 2; topic++) {
                if ((scope.gateMask >> topic & 1) != 0) {
                    if (closedGate(topic, d) != null) {
                        events.add(new SmallEvent(SmallEvent.Kind.RESUME, topic, d));
                    } else if (may(Budget.PAUSE)) {
                        events.add(new SmallEvent(SmallEvent.Kind.PAUSE, topic, d));
                    }
                }
            }
        }
        if (database.now < scope.maxNow && isAnythingToCome()) {
            events.add(new SmallEvent(SmallEvent.Kind.TICK, 0, 0));
        }
        operatorEvents(events);
        if (may(Budget.RESTART)) {
            events.add(new SmallEvent(SmallEvent.Kind.RESTART, 0, 0));
            events.add(new SmallEvent(SmallEvent.Kind.START_OVER, 0, 0));
        }
        return events;
    }

    private boolean isAnythingToCome() {
        for (Row row : database.rows) {
            if (row.due > database.now || row.plan.delayedTo() > database.now) {
                return true;
            }
        }
        return false;
    }

    private void readerEvents(List<SmallEvent> events) {
        if (reading != Reading.NONE) {
            events.add(new SmallEvent(SmallEvent.Kind.ANSWER, 0, 0));
            if (may(Budget.READ_FAILURE)) {
                events.add(new SmallEvent(SmallEvent.Kind.READ_FAILS, 0, 0));
            }
            return;
        }
        for (int d = 0; d < 2; d++) {
            if (mayReread(d)) {
                events.add(new SmallEvent(SmallEvent.Kind.REREAD, 0, d));
            }
        }
        if (scope.skew && lane.dueUpTo().compareTo(Due.BEGINNING) > 0) {
            events.add(new SmallEvent(SmallEvent.Kind.RESCAN, 0, 0));
        }
        if (floorNeeded) {
            events.add(new SmallEvent(SmallEvent.Kind.READ_FLOOR, 0, 0));
            return;
        }
        events.add(new SmallEvent(SmallEvent.Kind.READ_PAGE, -1, 0));
        for (int position : lagging()) {
            events.add(new SmallEvent(SmallEvent.Kind.READ_PAGE, position, 0));
        }
        for (int d = 0; d < 2; d++) {
            for (int stream = 1; stream < MOST_STREAMS; stream++) {
                if (track(d).behind().has(stream)) {
                    events.add(new SmallEvent(SmallEvent.Kind.READ_STREAM, stream, d));
                }
            }
        }
        if (may(Budget.SWEEP)) {
            events.add(new SmallEvent(SmallEvent.Kind.SWEEP, 0, 0));
        }
    }

    /** The positions below the foremost. */
    List<Integer> lagging() {
        List<Integer> positions = new ArrayList<>();
        lane.ablePositions().forEach(position -> positions.add((int) (long) position));
        if (!positions.isEmpty()) {
            positions.remove(positions.size() - 1);
        }
        return positions;
    }

    boolean mayReread(int d) {
        Destination destination = destination(d);
        return track(d).missed() != null && (destination.isFlowing() || destination.wantsProbes(true));
    }

    private void messageEvents(List<SmallEvent> events, int i) {
        for (int d = 0; d < 2; d++) {
            Delivery delivery = delivery(i, d);
            if (delivery == null) {
                continue;
            }
            if (delivery.isQueued() && maySend(delivery, d)) {
                events.add(new SmallEvent(SmallEvent.Kind.SEND, i, d));
            } else if (delivery.isSent()) {
                wireEvents(events, delivery, i, d);
            }
        }
        Message message = message(i);
        if (settling[i] != null) {
            events.add(new SmallEvent(SmallEvent.Kind.SETTLE_ANSWER, i, 0));
            if (may(Budget.LOST_ANSWER)) {
                events.add(new SmallEvent(SmallEvent.Kind.SETTLE_AGAIN, i, 0));
            }
        } else if (message != null && isAnythingToSettle(message)) {
            events.add(new SmallEvent(SmallEvent.Kind.SETTLE, i, 0));
        }
    }

    private void wireEvents(List<SmallEvent> events, Delivery delivery, int i, int d) {
        if ((doomed[d] >> i & 1) != 0) {
            events.add(new SmallEvent(SmallEvent.Kind.RETURN, i, d));
            return;
        }
        if (isBehindOnTheWire(delivery, d)) {
            return; // its transport answers in order
        }
        events.add(new SmallEvent(SmallEvent.Kind.CONFIRM, i, d));
        if (may(Budget.FAIL)) {
            events.add(new SmallEvent(SmallEvent.Kind.FAIL, i, d));
        }
        if (may(Budget.DIE)) {
            events.add(new SmallEvent(SmallEvent.Kind.DIE, i, d));
        }
        boolean closed = isClosed(d) || closedGate(scope.rows.get(i).topic(), d) != null;
        if (closed || may(Budget.RETURN)) {
            events.add(new SmallEvent(SmallEvent.Kind.RETURN, i, d));
        }
        if (scope.probes && !isClosed(d) && may(Budget.CLOSE) && (d == 0 || scope.closesE)) {
            events.add(new SmallEvent(SmallEvent.Kind.HOLD, i, d));
        }
        boolean gated = (scope.gateMask >> scope.rows.get(i).topic() & 1) != 0 && (d == 0 || scope.gatesAtE);
        if (scope.topicProbes && gated && closedGate(scope.rows.get(i).topic(), d) == null && may(Budget.PAUSE)) {
            events.add(new SmallEvent(SmallEvent.Kind.HOLD_TOPIC, i, d));
        }
    }

    private boolean isBehindOnTheWire(Delivery delivery, int d) {
        if (scope.pipelined && delivery.isOrdered()) {
            for (int before = 0; before < delivery.seq() - 1; before++) {
                Delivery other = delivery(before, d);
                if (other != null
                        && other.isSent()
                        && other.isOrdered()
                        && scope.rows.get(before).stream() == delivery.message().stream()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isAnythingToSettle(Message message) {
        for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
            if (delivery.isConfirmed() || delivery.isFailing()) {
                return true;
            }
        }
        return false;
    }

    boolean maySend(Delivery delivery, int d) {
        if ((stayClosed >> d & 1) != 0 && isClosed(d)) {
            return false;
        }
        if (gatesStay && destination(d).closedGate(delivery.message()) != null) {
            return false;
        }
        return delivery.mayGo() && destination(d).lets(delivery, clock());
    }

    private long clock() {
        nanos += HOUR;
        return nanos;
    }

    private void operatorEvents(List<SmallEvent> events) {
        if (!may(Budget.OPERATOR)) {
            return;
        }
        for (int i = 0; i < database.rows.length; i++) {
            Row row = database.rows[i];
            boolean failed = row.phase == Phase.WAITING || row.phase == Phase.DEAD;
            if (failed && !row.released && row.plan.stream() != 0) {
                events.add(new SmallEvent(SmallEvent.Kind.RELEASE, i, 0));
            }
            if (row.phase == Phase.DEAD) {
                events.add(new SmallEvent(SmallEvent.Kind.RETRY, i, 0));
            }
            if (scope.operatorSkips && row.isLive()) {
                events.add(new SmallEvent(SmallEvent.Kind.SKIP, i, 0));
            }
        }
    }

    // --- what they do ---

    void apply(SmallEvent event) {
        int row = event.what();
        int d = event.destination();
        if (event.kind().budget != null) {
            boolean free = event.kind() == SmallEvent.Kind.RETURN
                    && (isClosed(d)
                            || closedGate(scope.rows.get(row).topic(), d) != null
                            || (doomed[d] >> row & 1) != 0);
            if (!free) {
                budgets.spend(event.kind().budget);
            }
        }
        switch (event.kind()) {
            case COMMIT -> database.commit(row);
            case READ_PAGE -> beginPage(row, scope.portable);
            case SWEEP -> beginPage(Integer.MIN_VALUE, true);
            case READ_STREAM -> beginStream(row, d);
            case READ_FLOOR -> beginFloor();
            case ANSWER -> answer();
            case READ_FAILS -> endRead();
            case REREAD -> lane.rereadMissed(track(d));
            case RESCAN -> lane.rescanDue();
            case SEND -> send(row, d);
            case CONFIRM -> confirm(row, d);
            case FAIL -> fail(row, d, Outcome.failed(FailureReason.HANDLER_EXCEPTION, "no"));
            case DIE -> fail(row, d, Outcome.failed(FailureReason.VALIDATION_FAILURE, "never"));
            case HOLD -> fail(row, d, Outcome.unavailable("gone"));
            case HOLD_TOPIC -> fail(row, d, Outcome.topicUnavailable("no such topic"));
            case RETURN -> fail(row, d, outcomeOfReturn(row, d));
            case SETTLE -> settle(row);
            case SETTLE_AGAIN -> record(row);
            case SETTLE_ANSWER -> settled(row);
            case CLOSE -> traffic.pause(destination(d), "operator");
            case OPEN -> traffic.resume(destination(d));
            case PAUSE -> traffic.pause(destination(d), row == 0 ? "a" : "b", "operator");
            case RESUME -> traffic.resume(destination(d), row == 0 ? "a" : "b");
            case TICK -> database.now++;
            case RELEASE -> database.release(row);
            case RETRY -> database.retry(row);
            case SKIP -> database.skip(row);
            case RESTART -> restart();
            case START_OVER -> {
                endRead();
                lane.startOver();
                mark = null;
                floorNeeded = false;
            }
        }
    }

    private Outcome outcomeOfReturn(int row, int d) {
        if ((doomed[d] >> row & 1) != 0) {
            return Outcome.notSent("the one before it failed");
        }
        if (destination(d).isHeld()) {
            return Outcome.unavailable("still gone");
        }
        Gate gate = closedGate(scope.rows.get(row).topic(), d);
        return gate != null && gate.isProbed() ? Outcome.topicUnavailable("still none") : Outcome.notSent("too late");
    }

    private void restart() {
        restarted = true;
        List<Integer> pausedDestinations = new ArrayList<>();
        List<String> pausedTopics = new ArrayList<>();
        for (int d = 0; d < 2; d++) {
            if (destination(d).isPaused()) {
                pausedDestinations.add(d);
            }
            for (int topic = 0; topic < 2; topic++) {
                Gate gate = closedGate(topic, d);
                if (gate != null && gate.pausedBy() != null) {
                    pausedTopics.add((topic == 0 ? "a" : "b") + d);
                }
            }
        }
        endRead();
        mark = null;
        floorNeeded = false;
        Arrays.fill(settling, null);
        doomed[0] = doomed[1] = 0;
        build(pausedDestinations, pausedTopics);
    }

    // --- reading ---

    /** @param lagging which position to read from beside the foremost, or -1; nothing at all when it is even less */
    private void beginPage(int lagging, boolean sweep) {
        List<PageRequest.Range> ranges = new ArrayList<>();
        var positions = lane.ablePositions();
        if (!positions.isEmpty() && lagging >= -1) {
            long foremost = positions.last();
            if (lagging >= 0) {
                ranges.add(new PageRequest.Range(0, lagging, foremost, scope.pageLimit));
            }
            ranges.add(new PageRequest.Range(0, foremost, Long.MAX_VALUE, scope.pageLimit));
        }
        long reach = lane.reach();
        Due due = lane.dueUpTo();
        answer = database.read(new PageRequest(
                mark,
                List.of(new PageRequest.Reach(0, reach)),
                ranges,
                scope.lateLimit,
                new PageRequest.Due(List.of(new PageRequest.DuePosition(0, due.time(), due.seq())), 1),
                sweep && reach > 0
                        ? new PageRequest.Sweep(List.of(new PageRequest.Span(0, 0, reach)), 99)
                        : PageRequest.Sweep.NONE,
                BOUNDS));
        begin(
                Reading.PAGE,
                ranges.isEmpty()
                        ? 0
                        : ranges.get(0).after() * 16
                                + ranges.get(ranges.size() - 1).after()
                                + 1);
    }

    private void begin(Reading kind, long asked) {
        reading = kind;
        memory.readBegan();
        readPrint = new Fingerprint()
                .add(asked)
                .add(lane.reach())
                .add(databasePrint())
                .value();
    }

    private void beginStream(int stream, int d) {
        readTrack = track(d);
        long after = readTrack.behind().passed().upTo(stream);
        answer = database.readStream(new StreamRead.Ask(stream, after, 1L << d, scope.streamLimit));
        begin(Reading.STREAM, stream * 100L + d * 10L + after);
    }

    private void beginFloor() {
        if (mark == null) {
            throw new IllegalStateException("nothing is late without a mark");
        }
        answer = database.lateFloor(mark, lane.reach());
        begin(Reading.FLOOR, 0);
    }

    private void answer() {
        switch (reading) {
            case NONE -> throw new IllegalStateException("no read is under way");
            case PAGE -> {
                if (answer instanceof PageAnswer.Page page) {
                    intake.take(page, number -> lane);
                    intake.compare(page.swept(), number -> lane);
                    mark = (SmallDatabase.Seen) page.next();
                } else {
                    floorNeeded = true;
                }
            }
            case STREAM -> {
                StreamRead read = (StreamRead) Objects.requireNonNull(answer);
                intake.take(read.streams().get(0), Objects.requireNonNull(readTrack), read.at());
            }
            case FLOOR -> {
                LateFloor.Part floor = (LateFloor.Part) Objects.requireNonNull(answer);
                intake.take(floor, number -> lane);
                mark = (SmallDatabase.Seen) floor.next();
                floorNeeded = false;
            }
        }
        endRead();
    }

    private void endRead() {
        reading = Reading.NONE;
        answer = null;
        readTrack = null;
        readPrint = 0;
        memory.readEnded();
        lane.readEnded();
    }

    // --- sending ---

    private void send(int row, int d) {
        Delivery delivery = Objects.requireNonNull(delivery(row, d));
        checkOrder(row, d, delivery);
        delivery.track().sent(delivery, isClosed(d) || destination(d).closedGate(delivery.message()) != null, nanos);
    }

    private void checkOrder(int index, int d, Delivery delivery) {
        Row row = database.rows[index];
        boolean again = (row.received >> d & 1) != 0;
        if (again && !restarted) {
            violation = "duplicate: row " + (index + 1) + " has arrived at " + "de".charAt(d) + " and is sent again";
        }
        if (scope.racing || !delivery.isOrdered() || row.released || again) {
            return;
        }
        for (int before = 0; before < index; before++) {
            Row other = database.rows[before];
            boolean owed = other.plan.stream() == row.plan.stream() && (Scope.route(other.plan.topic()) >> d & 1) != 0;
            boolean excused = other.phase == Phase.GONE
                    || other.released
                    || other.plan.delayedTo() != 0
                    || scope.skip[other.plan.topic()]
                    || other.phase == Phase.UNCOMMITTED;
            Delivery ahead = delivery(before, d);
            boolean onTheWire =
                    scope.pipelined && ahead != null && ahead.isSent() && other.plan.topic() == row.plan.topic();
            if (owed && !excused && !onTheWire && (other.received >> d & 1) == 0) {
                violation =
                        "order: row " + (index + 1) + " is sent to " + "de".charAt(d) + " before row " + (before + 1);
            }
        }
    }

    private void confirm(int row, int d) {
        database.rows[row].received |= 1L << d;
        traffic.confirmed(Objects.requireNonNull(delivery(row, d)));
    }

    private void fail(int row, int d, Outcome outcome) {
        Delivery delivery = Objects.requireNonNull(delivery(row, d));
        doomed[d] &= ~(1 << row);
        if (scope.pipelined && delivery.isOrdered()) {
            for (int later = row + 1; later < database.rows.length; later++) {
                Delivery other = delivery(later, d);
                if (other != null && other.isSent() && other.isOrdered() && other.queue() == delivery.queue()) {
                    doomed[d] |= 1 << later;
                }
            }
        }
        traffic.failed(delivery, (Outcome.Failed) outcome, clock());
    }

    // --- settling ---

    private void settle(int row) {
        settling[row] = Result.of(Objects.requireNonNull(message(row)));
        record(row);
    }

    private void record(int row) {
        Result settlement = Objects.requireNonNull(settling[row]);
        if (settlement.isFailure()) {
            boolean dead = settlement.failed().stream()
                    .anyMatch(delivery -> delivery.failure().reason().isPermanent());
            recorded[row] = database.failed(row, settlement.version(), dead, settlement.confirmed());
        } else {
            database.confirmed(row, settlement.confirmed());
            recorded[row] = true;
        }
    }

    private void settled(int row) {
        Result settlement = Objects.requireNonNull(settling[row]);
        settling[row] = null;
        if (recorded[row]) {
            settlement.recorded();
        } else {
            settlement.stale();
        }
    }

    // --- what must be true in every state ---

    @Nullable
    String check() {
        if (violation != null) {
            return violation;
        }
        for (int i = 0; i < database.rows.length; i++) {
            Row row = database.rows[i];
            boolean visible = mark != null && (mark.rows() >> i & 1) != 0;
            if (!row.isLive() || row.phase == Phase.DEAD || (row.phase == Phase.READY && !visible)) {
                continue;
            }
            if (row.phase != Phase.READY && scope.skew) {
                continue; // the rescan finds it at the latest
            }
            FollowedMessage read = database.read(i, false, null);
            Message known = message(i);
            Topic topic = new Topic(row.stream.topic(), Scope.route(row.plan.topic()), true);
            Offer offer = new Offer(read, known == null ? new Message(read, lane, topic, topic.route()) : known);
            for (int d = 0; d < 2; d++) {
                boolean owed = offer.isOwedTo(destination(d));
                if (owed && track(d).whereIs(offer) == Whereabouts.NOWHERE) {
                    return "N1: row " + (i + 1) + " (" + row.phase + "), owed to " + "de".charAt(d) + ", is nowhere";
                }
            }
        }
        return checkBounds();
    }

    private @Nullable String checkBounds() {
        for (int d = 0; d < 2; d++) {
            Destination destination = destination(d);
            int gates = destination.gates().size();
            if (destination.count() > scope.share + Math.max(1, scope.share / 4) + gates) {
                return "bound: " + destination.count() + " messages in memory for " + destination.name();
            }
            if (destination.budget().used() > 2 * scope.setMax + scope.share + 1) {
                return "bound: " + destination.budget().used() + " ids in the sets of " + destination.name();
            }
            if (track(d).parts().size() > scope.parts + gates) {
                return "bound: " + track(d).parts().size() + " parts of " + destination.name();
            }
            int lined = 0;
            for (int i = 0; i < database.rows.length; i++) {
                Delivery delivery = delivery(i, d);
                boolean mayGo =
                        delivery != null && delivery.mayGo() && destination.closedGate(delivery.message()) == null;
                if (delivery != null && mayGo != delivery.isInLine()) {
                    return "line: " + delivery + (mayGo ? " is missing" : " may not go");
                }
                lined += mayGo ? 1 : 0;
            }
            if (lined != destination.line().size()) {
                return "line: " + destination.line().size() + " instead of " + lined;
            }
        }
        return null;
    }

    // --- for the continuation ---

    Reading reading() {
        return reading;
    }

    boolean isReading() {
        return reading != Reading.NONE;
    }

    boolean needsFloor() {
        return floorNeeded;
    }

    boolean isSettling(int row) {
        return settling[row] != null;
    }

    boolean hasToSettle(int row) {
        Message message = message(row);
        return settling[row] == null && message != null && isAnythingToSettle(message);
    }

    boolean isBehindOnTheWire(int row, int d) {
        return isBehindOnTheWire(Objects.requireNonNull(delivery(row, d)), d);
    }

    boolean isDoomed(int row, int d) {
        return (doomed[d] >> row & 1) != 0;
    }

    void rescanDue() {
        lane.rescanDue();
    }

    /** Whether the stream waits with what it left at a closed gate, though that may be gone by now. */
    boolean isInClosedSet(int stream, int d) {
        for (Follower follower : track(d).parts()) {
            if (follower.part() instanceof Part.OfGate part
                    && part.gate().isClosed()
                    && part.streams().contains(stream)) {
                return true;
            }
        }
        return false;
    }

    // --- what makes two states the same ---

    private long databasePrint() {
        Fingerprint print = new Fingerprint().add(database.now);
        for (Row row : database.rows) {
            print.add(row.phase.letter
                    | row.done << 7
                    | (row.released ? 512 : 0)
                    | row.due << 10
                    | (long) row.version << 20);
        }
        return print.value();
    }

    long fingerprint() {
        Fingerprint print = new Fingerprint().add(databasePrint());
        print.add(mark == null ? -1 : mark.rows())
                .add(floorNeeded ? 1 : 0)
                .add(Fingerprint.code(reading))
                .add(readPrint);
        print.add(doomed[0]).add(doomed[1]);
        for (int budget : budgets.toArray()) {
            print.add(budget);
        }
        for (int i = 0; i < database.rows.length; i++) {
            print.add(database.rows[i].received).add(settling[i] == null ? 0 : recorded[i] ? 1 : 2);
            Message message = message(i);
            if (message != null) {
                print.add(message.isReady() ? 1 : 2)
                        .add(message.row().message().progress().version());
            }
            for (int d = 0; d < 2; d++) {
                print.add(code(delivery(i, d)));
            }
        }
        print.add(hash(lane.dueUpTo()));
        for (int d = 0; d < 2; d++) {
            addTrack(print, track(d));
        }
        return print.value();
    }

    private static long hash(@Nullable Due due) {
        return due == null ? -1 : due.time() == null ? 0 : due.time().getEpochSecond() * 16 + due.seq() + 1;
    }

    private static long code(@Nullable Delivery delivery) {
        if (delivery == null) {
            return 0;
        }
        int phase = delivery.isQueued() ? 1 : delivery.isSent() ? 2 : delivery.isConfirmed() ? 3 : 4;
        boolean dead = delivery.isFailing() && delivery.failure().reason().isPermanent();
        return phase
                | (delivery.isSettling() ? 8 : 0)
                | (delivery.isOrdered() ? 16 : 0)
                | (delivery.isProbe() && delivery.isSent() ? 32 : 0)
                | (dead ? 64 : 0)
                | (long) delivery.version() << 8;
    }

    private void addTrack(Fingerprint print, Track track) {
        Destination destination = track.destination();
        print.add(destination.isPaused() ? 1 : 0).add(destination.isHeld() ? 1 : 0);
        for (Gate gate : destination.gates()) {
            print.add(gate.name().hashCode())
                    .add(gate.pausedBy() == null ? 0 : 1)
                    .add(gate.breaker().isOpen() ? 1 : 0);
            for (Delivery delivery : Set.copyOf(gate.present())) {
                print.addUnordered(delivery.seq());
            }
        }
        print.add(track.everything().position()).add(hash(track.missed()));
        for (Follower follower : track.parts()) {
            long part = follower.position() + 1;
            if (follower.part() instanceof Part.OfGate gate) {
                part = part * 31 + gate.gate().name().hashCode();
                for (long stream : gate.streams().toSortedArray((id, first) -> id * 31 + first)) {
                    part = part * 31 + stream + 7;
                }
            }
            print.addUnordered(part);
        }
        for (int stream = 1; stream < MOST_STREAMS; stream++) {
            BehindStreams behind = track.behind();
            print.add(behind.has(stream) ? behind.passed().upTo(stream) + 1 : 0)
                    .add(behind.fellDuringRead(stream) ? 1 : 0);
        }
        for (Row row : database.rows) {
            FollowedMessage any = message((int) row.key.seq() - 1) == null
                    ? null
                    : message((int) row.key.seq() - 1).row();
            boolean justSettled = memory.wasJustSettled(row.key.id(), destination);
            print.add(justSettled ? memory.hasJustFailed(row.key.id(), destination) ? 2 : 1 : 0);
            print.add(
                    any == null ? 0 : Fingerprint.code(any.message().progress().state()));
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < database.rows.length; i++) {
            Row row = database.rows[i];
            text.append(i + 1).append(row.phase.letter);
            text.append(row.due > 0 ? "" + row.due : "")
                    .append(row.done > 0 ? "+" + row.done : "")
                    .append(row.released ? "R" : "");
            for (int d = 0; d < 2; d++) {
                Delivery delivery = delivery(i, d);
                if (delivery != null) {
                    text.append("de".charAt(d)).append(code(delivery) & 7).append(delivery.isSettling() ? "s" : "");
                }
            }
            text.append(' ');
        }
        for (int d = 0; d < 2; d++) {
            Track track = track(d);
            text.append("| ")
                    .append("de".charAt(d))
                    .append(isClosed(d) ? " closed" : "")
                    .append(" at ")
                    .append(track.everything().position());
            for (Follower follower : track.parts()) {
                if (follower.part() instanceof Part.OfGate gate) {
                    text.append(" gate ")
                            .append(gate.gate().name())
                            .append(gate.gate().isClosed() ? "! at " : " at ")
                            .append(follower.position());
                    text.append(Arrays.toString(gate.streams().toSortedArray((id, first) -> id * 10 + first)));
                } else {
                    text.append(" tenant at ").append(follower.position());
                }
            }
            text.append(" behind ")
                    .append(Arrays.toString(track.behind().streams().toSortedArray()));
            text.append(track.missed() == null ? "" : " missed " + hash(track.missed()))
                    .append(' ');
        }
        return text + "| now " + database.now + " due up to " + hash(lane.dueUpTo()) + " mark "
                + (mark == null ? "none" : Integer.toBinaryString(mark.rows())) + " reading " + reading
                + (floorNeeded ? " floor needed" : "");
    }
}
