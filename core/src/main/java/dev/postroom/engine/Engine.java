package dev.postroom.engine;

import dev.postroom.policy.Routes;
import dev.postroom.spi.LaneStore;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One relay's decisions. Told what happened and when, it answers with what to do; it has no thread, no clock and no
 * connection. Not thread-safe.
 */
public final class Engine {
    private final EngineState state;
    private final Intake intake;
    private final Reading reading;
    private final Settling settling;
    private final Outcomes outcomes;
    private final Keeping keeping;
    private final Dispatcher dispatcher;
    private boolean laneLost;

    /** A relay whose destinations each get the next message of a stream when the one before is confirmed. */
    public Engine(EngineSettings settings, Routes routes, DoubleSupplier random, EngineListener listener) {
        this(settings, routes, Set.of(), random, listener);
    }

    /** A relay; {@code pipelined} names the destinations whose transport keeps the order of what it is handed. */
    public Engine(
            EngineSettings settings,
            Routes routes,
            Set<String> pipelined,
            DoubleSupplier random,
            EngineListener listener) {
        this.state = new EngineState(settings, routes, random, listener);
        this.intake = new Intake(state);
        this.reading = new Reading(state, intake);
        this.settling = new Settling(state, reading);
        this.outcomes = new Outcomes(state, settling);
        this.keeping = new Keeping(state, new NodeDetails(state), () -> laneLost = true);
        long mask = pipelined.stream().mapToLong(routes::mask).reduce(0, (one, other) -> one | other);
        this.dispatcher = new Dispatcher(state, intake, settling, keeping, mask);
    }

    /** Tells in its reports that the engine before this one failed, and why. */
    public void succeeds(Restart restart) {
        state.restart = restart;
    }

    /** Tells in its reports where its destinations are: the address of each, without credentials, by its name. */
    public void deliversTo(Map<String, String> addresses) {
        state.addresses = new TreeMap<>(addresses);
    }

    /** Takes note of what happened and says what to do. */
    public List<Command> on(Event event, Moment now) {
        return on(List.of(event), now);
    }

    /** As {@link #on(Event, Moment)}, for all that happened since the last time: decided once, not for each. */
    public List<Command> on(List<Event> events, Moment now) {
        List<Command> commands = new ArrayList<>();
        on(events, now, commands::add);
        return commands;
    }

    /** As {@link #on(List, Moment)}; each command is given as soon as it is decided, so that others can begin with it. */
    public void on(List<Event> events, Moment now, Consumer<Command> commands) {
        state.out = commands;
        state.now = now;
        keeping.distrustAfterJump();
        for (Event event : events) {
            take(event);
            if (laneLost) {
                laneLost = false;
                forgetLostLanes();
            }
            reading.forgetFading();
        }
        turn();
    }

    private void take(Event event) {
        if (event instanceof Event.Replied replied) {
            outcomes.replied(replied.key(), replied.destination(), replied.outcome());
        } else if (event instanceof Event.PageRead read) {
            reading.pageRead(read.page());
        } else if (event instanceof Event.RowsRead read) {
            reading.rowsRead(read.rows());
        } else if (event instanceof Event.BatchSettled settled) {
            settling.settled(settled.settled());
        } else if (event instanceof Event.Woken woken) {
            reading.wake(woken.seq() > 0 ? woken.lane() : -1);
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
            state.listener.databaseTrouble("keeper", failed.error());
            keeping.failed();
        } else if (event instanceof Event.HoldersRead holders) {
            reading.holdersRead(holders.holders());
        } else if (event instanceof Event.PausesRead pauses) {
            reading.pausesRead(pauses.pauses());
        } else if (event instanceof Event.ReaderFailed failed) {
            state.listener.databaseTrouble("reader", failed.error());
            reading.failed(failed.error());
        } else if (event instanceof Event.Suspected suspected) {
            settling.suspected(suspected.ids());
        } else if (event instanceof Event.SettlerFailed failed) {
            settlerFailed(failed);
        } else if (event instanceof Event.Stop) {
            state.stopping = true;
            state.lanes.values().forEach(lane -> lane.leaving = true);
        }
    }

    private void settlerFailed(Event.SettlerFailed failed) {
        if (failed.refused()) {
            settling.refused(failed.error());
        } else {
            state.listener.databaseTrouble("settler", failed.error());
            settling.failed(failed.error());
        }
    }

    private void turn() {
        if (keeping.hasLeft()) {
            return;
        }
        openWhereThereIsRoom();
        // What takes others longest comes first: they work on it while the messages are handed out.
        settling.turn(releases());
        reading.turn();
        keeping.turn();
        dispatcher.probe();
        dispatcher.turn();
        keeping.turn();
        reading.turn();
        settling.turn(releases());
    }

    /** What was on its way is still recorded if it arrives; everything else of the lane is somebody else's now. */
    private void forgetLostLanes() {
        for (Entry entry : List.copyOf(state.memory.entries())) {
            if (entry.lane.lost) {
                if (entry.inFlight != 0) {
                    outcomes.orphan(entry);
                } else if (entry.unsettled != 0 && !entry.settling) {
                    settling.succeedOrphan(entry);
                }
                state.memory.remove(entry);
            }
        }
        state.setAside.forgetFailures();
        state.memory.forgetBlocks(stream -> !state.lanes.containsKey(stream.lane));
    }

    private void openWhereThereIsRoom() {
        for (String destination : state.routes.destinations()) {
            GateKey full = GateKey.full(destination);
            if (state.gates.isClosed(full)) {
                int share = state.settings.maxInFlight()
                        / state.routes.destinations().size();
                if (state.memory.occupancy(state.routes.mask(destination)) <= share / 2) {
                    state.open(full, "there is room again");
                }
            }
        }
    }

    /** Lanes that are to be given back and of which nothing is under way any more. */
    private List<LaneStore.Lease> releases() {
        Set<OwnedLane> leaving = new LinkedHashSet<>();
        for (OwnedLane lane : state.lanes.values()) {
            if (lane.leaving && !settling.hasWorkOf(lane)) {
                leaving.add(lane);
            }
        }
        if (leaving.isEmpty()) {
            return List.of();
        }
        for (Entry entry : List.copyOf(state.memory.entries())) {
            if (entry.lane.leaving && !isCleared(entry)) {
                leaving.remove(entry.lane);
            }
        }
        return leaving.stream().map(lane -> lane.lease).toList();
    }

    private boolean isCleared(Entry entry) {
        if (entry.isForgettable() || entry.setAside) {
            // What is set aside cannot be recorded before the lane goes: the next owner sends it again.
            state.memory.remove(entry);
            return true;
        }
        if (entry.inFlight == 0 && !entry.settling) {
            if (entry.failure != null) {
                settling.fail(entry);
            } else {
                settling.succeed(entry);
            }
        }
        return false;
    }

    /** When it wants a {@link Event.Tick}, if nothing else happens before; by the clock of {@link Moment#nanos()}. */
    public long nextTurn() {
        if (keeping.hasLeft()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(keeping.nextTurn(), Math.min(reading.nextTurn(), settling.nextTurn()));
        for (Gates.Gate gate : state.gates.breakers()) {
            if (gate.probe == null) {
                next = Math.min(next, gate.nextProbe);
            }
        }
        return next;
    }

    /** Whether it has stopped and wants nothing any more. */
    public boolean hasStopped() {
        return keeping.hasLeft();
    }

    /** Messages in memory. */
    public int inMemory() {
        return state.memory.size();
    }
}
