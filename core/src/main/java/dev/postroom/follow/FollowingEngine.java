package dev.postroom.follow;

import dev.postroom.engine.Command;
import dev.postroom.engine.Counts;
import dev.postroom.engine.Engine;
import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Event;
import dev.postroom.engine.Keeping;
import dev.postroom.engine.Locating;
import dev.postroom.engine.Moment;
import dev.postroom.engine.Pulse;
import dev.postroom.engine.Restart;
import dev.postroom.engine.Surroundings;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The engine of followers: each destination goes through each lane by itself, stops where it has to, and catches up. */
public final class FollowingEngine implements Engine, Locating {
    private final EngineSettings settings;
    private final Surroundings surroundings;
    private final Turn turn = new Turn();
    private final Memory memory = new Memory();
    private final Map<Integer, Lane> lanes = new TreeMap<>();
    private final Map<String, Destination> destinations = new LinkedHashMap<>();
    private final Pulse pulse = new Pulse();
    private final RoutedTopics topics;
    private final Traffic traffic;
    private final Settling settling;
    private final Reading reading;
    private final Sending sending;
    private final Keeping<Lane> keeping;
    private final Household household;
    private final Paused paused;
    /** On the wire when their lane was lost: a success is still recorded, because it happened. */
    private final Map<UUID, Orphan> orphans = new HashMap<>();

    private record Orphan(RowKey key, long route, long inFlight) {}

    public FollowingEngine(EngineSettings settings, Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
        this.topics = new RoutedTopics(surroundings.routes(), this::untaken);
        destinations.putAll(Destinations.of(settings, surroundings));
        this.traffic = new Traffic(
                memory,
                name -> Destinations.breaker(settings, surroundings, name),
                (delivery, failed) -> settling().isLast(delivery, failed),
                new TrafficListener());
        this.paused = new Paused(traffic, destinations.values());
        this.settling = new Settling(
                turn,
                memory,
                settings,
                surroundings.routes(),
                surroundings.random(),
                surroundings.listener(),
                pulse,
                this::lookAgain);
        Intake intake = new Intake(memory, topics, settling.setAside()::confirmed, settling::forgetFailure);
        this.reading = new Reading(turn, settings, surroundings.listener(), memory, lanes, intake, this::pausesCame);
        Suspects suspects = new Suspects(settings.maxCrashes(), settling);
        this.household = new Household(this);
        this.keeping = new Keeping<>(household, surroundings.routes().text().fingerprint());
        this.sending = new Sending(turn, destinations.values(), settling, suspects, keeping::needReservation);
    }

    @Override
    public void succeeds(Restart restart) {
        household.succeeds(restart);
    }

    @Override
    public void deliversTo(Map<String, String> addresses) {
        household.deliversTo(addresses);
    }

    @Override
    public void on(List<Event> events, Moment now, Consumer<Command> commands) {
        turn.begin(now, commands);
        keeping.distrustAfterJump();
        destinations.values().forEach(destination -> destination.observe(now.nanos()));
        for (Event event : events) {
            take(event);
        }
        turn();
    }

    private void take(Event event) {
        if (event instanceof Event.Replied replied) {
            replied(replied.key(), replied.destination(), replied.outcome());
        } else if (event instanceof Event.Followed followed) {
            reading.pageCame(followed.answer());
        } else if (event instanceof Event.StreamsRead read) {
            reading.streamsCame(read.read());
        } else if (event instanceof Event.BatchSettled settled) {
            settling.settled(settled.settled(), this::released);
            reading.wakeIfThereIsRoom();
        } else if (event instanceof Event.Woken woken) {
            reading.wake(woken);
        } else if (event instanceof Event.Tick) {
            return;
        } else {
            takeSeldom(event);
        }
    }

    private void takeSeldom(Event event) {
        if (event instanceof Event.Beaten beaten) {
            keeping.beaten(beaten.held(), beaten.lanes(), beaten.nodes());
        } else if (event instanceof Event.Acquired acquired) {
            keeping.acquired(acquired.leases());
        } else if (event instanceof Event.Reserved reserved) {
            keeping.reserved(reserved.leases());
        } else if (event instanceof Event.Left) {
            keeping.left();
        } else if (event instanceof Event.KeeperFailed failed) {
            surroundings.listener().databaseTrouble("keeper", failed.error());
            keeping.failed();
        } else if (event instanceof Event.LateFloorFound floor) {
            reading.floorCame(floor.floor());
        } else if (event instanceof Event.HeldFound held) {
            reading.heldCame(held.held());
        } else if (event instanceof Event.PausesRead pauses) {
            reading.pausesCame(pauses.pauses());
        } else if (event instanceof Event.ReaderFailed failed) {
            surroundings.listener().databaseTrouble("reader", failed.error());
            reading.failed(failed.error());
        } else if (event instanceof Event.Suspected suspected) {
            settling.counted(suspected.ids());
        } else if (event instanceof Event.SettlerFailed failed) {
            settlerFailed(failed);
        } else if (event instanceof Event.Stop) {
            turn.stop();
            lanes.values().forEach(Lane::leave);
        } else {
            throw new IllegalArgumentException("this engine asks for nothing that " + event + " answers");
        }
    }

    private void settlerFailed(Event.SettlerFailed failed) {
        if (failed.refused()) {
            settling.refused(failed.error());
        } else {
            surroundings.listener().databaseTrouble("settler", failed.error());
            settling.failed(failed.error());
        }
    }

    private void turn() {
        if (keeping.hasLeft()) {
            return;
        }
        // What takes others longest comes first: they work on it while the messages are handed out.
        settling.turn(releases());
        reading.turn();
        keeping.turn();
        sending.turn();
        keeping.turn();
        settling.turn(releases());
    }

    // --- what transports answer ---

    private void replied(RowKey key, String name, Outcome outcome) {
        Destination destination = destinations.get(name);
        Message message = memory.find(key.id());
        Delivery delivery = message == null || destination == null ? null : message.at(destination);
        if (message == null
                || delivery == null
                || !delivery.isSent()
                || !message.key().equals(key)) {
            orphanReplied(key, name, outcome);
            return;
        }
        message.lane().moved(turn.nanos());
        if (outcome instanceof Outcome.Failed failed) {
            traffic.failed(delivery, failed, turn.nanos());
            settling.acquitIfUnharmed(message);
        } else {
            traffic.confirmed(delivery);
            pulse.delivered(turn.now(), message.row().message());
            surroundings.listener().delivered(message.row().message(), name);
        }
        if (message.isAnythingUnsettled()) {
            settling.collect(message);
        }
    }

    private void orphanReplied(RowKey key, String name, Outcome outcome) {
        Orphan orphan = orphans.get(key.id());
        long mask = surroundings.routes().mask(name);
        if (orphan == null || (orphan.inFlight & mask) == 0) {
            return;
        }
        if (outcome instanceof Outcome.Confirmed) {
            settling.orphan(new MessageSettler.Success(key, mask, orphan.route));
        }
        long left = orphan.inFlight & ~mask;
        if (left == 0) {
            orphans.remove(key.id());
        } else {
            orphans.put(key.id(), new Orphan(key, orphan.route, left));
        }
    }

    // --- lanes ---

    /** What was on its way is still recorded if it arrives; everything else of the lane is somebody else's now. */
    void forget(Lane lane) {
        for (Message message : messagesOf(lane)) {
            long inFlight = 0;
            long confirmed = 0;
            long arrived = message.arrived() & message.route();
            for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
                inFlight |= delivery.isSent() ? delivery.destination().mask() : 0;
                confirmed |= delivery.isConfirmed() && !delivery.isSettling()
                        ? delivery.destination().mask()
                        : 0;
            }
            if (inFlight != 0) {
                orphans.put(message.key().id(), new Orphan(message.key(), message.route(), inFlight));
            }
            if (confirmed != 0) {
                settling.orphan(new MessageSettler.Success(message.key(), confirmed | arrived, message.route()));
            }
            letGo(message);
        }
        settling.setAside().forgetFailures();
        lane.tracks().forEach(Track::startOver);
        sending.forget(lane);
    }

    private List<Message> messagesOf(Lane lane) {
        List<Message> messages = new ArrayList<>();
        for (Message message : memory.messages()) {
            if (message.lane() == lane) {
                messages.add(message);
            }
        }
        return messages;
    }

    private static void letGo(Message message) {
        for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
            delivery.track().forget(delivery);
        }
    }

    /** Lanes that are to be given back and of which nothing is under way any more. */
    private List<LaneStore.Lease> releases() {
        List<LaneStore.Lease> leases = new ArrayList<>();
        for (Lane lane : lanes.values()) {
            if (lane.isLeaving() && clear(lane) && !settling.hasWorkOf(lane)) {
                leases.add(lane.lease());
            }
        }
        return leases;
    }

    /** What is set aside cannot be recorded before the lane goes: the next owner sends it again. */
    private boolean clear(Lane lane) {
        boolean clear = true;
        for (Message message : messagesOf(lane)) {
            boolean underWay = message.isAnythingSent()
                    || message.isBeingCounted()
                    || (message.isAnythingUnsettled() && message.setAside() == null);
            if (underWay) {
                clear = false;
            } else {
                letGo(message);
            }
        }
        return clear;
    }

    private void released(List<LaneStore.Lease> leases) {
        for (LaneStore.Lease lease : leases) {
            Lane lane = lanes.get(lease.lane());
            // Lost and taken again meanwhile, it is another one.
            if (lane != null && lane.lease().epoch() == lease.epoch()) {
                lanes.remove(lease.lane());
                forget(lane);
            }
        }
        surroundings.listener().lanes(lanes.size(), "gave back " + leases.size());
    }

    // --- what is paused and held ---

    private void pausesCame(Pauses pauses) {
        paused.are(pauses);
        sending.pausesAreKnown();
    }

    private final class TrafficListener implements Traffic.Listener {
        @Override
        public void held(Destination destination, @Nullable Gate gate, boolean held, String why) {
            String topic = gate != null && gate.kind() == Gate.Kind.TOPIC ? gate.name() : null;
            String type = gate != null && gate.kind() == Gate.Kind.TYPE ? gate.name() : null;
            surroundings.listener().breaker(destination.name(), topic, type, held, why);
        }

        @Override
        public void opened(Destination destination) {
            reading.wake();
        }
    }

    private void untaken(RoutedTopics.Untaken what, boolean held) {
        if (what.destination() == null) {
            surroundings.listener().unrouted(what.topic(), held);
        } else {
            surroundings.listener().breaker(what.destination(), what.topic(), null, held, what.why());
        }
    }

    /** Something may be sent that had to wait. */
    void lookAgain() {
        sending.lookAgain();
    }

    // --- what it tells ---

    @Override
    public long nextTurn() {
        if (keeping.hasLeft()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(keeping.nextTurn(), Math.min(reading.nextTurn(), settling.nextTurn()));
        return Math.min(next, sending.nextTurn());
    }

    @Override
    public boolean hasStopped() {
        return keeping.hasLeft();
    }

    @Override
    public int inMemory() {
        return memory.size();
    }

    @Override
    public Whereabouts whereIs(FollowedMessage row, String destination) {
        Lane lane = lanes.get(row.key().lane());
        Destination where = destinations.get(destination);
        if (lane == null || lane.isLeaving() || where == null) {
            return Whereabouts.NOT_OURS;
        }
        Message known = memory.find(row.key().id());
        boolean arrived = (settling.setAside().confirmed(row.message()) & where.mask()) != 0
                || (known != null && known.hasArrivedAt(where.mask()));
        if (arrived) {
            return Whereabouts.IN_MEMORY;
        }
        Topic topic = topics.topic(row.message().stream().topic());
        Message message = known == null ? new Message(row, lane, topic, -1) : known;
        return lane.track(where).whereIs(new Offer(row, message));
    }

    @Override
    public FollowReader.@Nullable Mark mark() {
        return reading.mark();
    }

    EngineSettings settings() {
        return settings;
    }

    Surroundings surroundings() {
        return surroundings;
    }

    Turn currentTurn() {
        return turn;
    }

    Memory memory() {
        return memory;
    }

    Map<Integer, Lane> lanes() {
        return lanes;
    }

    Iterable<Destination> destinations() {
        return destinations.values();
    }

    RoutedTopics topics() {
        return topics;
    }

    Settling settling() {
        return settling;
    }

    Reading reading() {
        return reading;
    }

    Pulse pulse() {
        return pulse;
    }

    Lane own(LaneStore.Lease lease, long trustedUntil) {
        return new Lane(lease, trustedUntil, memory, destinations.values());
    }

    long highestInMemory() {
        long highest = 0;
        for (Message message : memory.messages()) {
            highest = Math.max(highest, message.seq());
        }
        return Counts.ahead(highest, 0);
    }
}
