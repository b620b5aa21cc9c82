package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.StreamRead;
import dev.postroom.testkit.simulation.database.SimulatedDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What each command does to the database, at one instant. */
final class DeskWork {
    private final World world;
    private final SimulatedDatabase database;
    private final FollowReader reader;
    private final BrokenReads brokenReads = new BrokenReads();

    /** @param owing where topics go by the routes of the relay that this is for */
    DeskWork(World world, Owing owing) {
        this.world = world;
        this.database = world.database;
        this.reader = database.followReader(owing, world.newDice()::share);
    }

    Event perform(Command command) {
        if (command instanceof Command.ForKeeper keeper) {
            return keep(keeper);
        }
        if (command instanceof Command.ForReader reader) {
            return read(reader);
        }
        return settle((Command.ForSettler) command);
    }

    List<LaneStore.Lease> renew(Command.Beat beat) {
        return database.lanes().renew(beat.owner(), beat.lease());
    }

    Event look(Command.Beat beat, List<LaneStore.Lease> held) {
        database.lanes().report(beat.report());
        List<LaneStore.LiveNode> nodes = seen(
                database.lanes().liveNodes(beat.liveWithin()),
                beat.report().routing().fingerprint());
        return new Event.Beaten(held, database.lanes().lanes(), nodes);
    }

    /** As they are, unless that is broken on purpose. */
    private List<LaneStore.LiveNode> seen(List<LaneStore.LiveNode> nodes, String own) {
        if (world.isBroken(BrokenVariant.ROUTINGS_HIDDEN)) {
            return nodes.stream().filter(node -> node.routing().equals(own)).toList();
        }
        if (world.isBroken(BrokenVariant.ROUTING_DELAY_IGNORED)) {
            return nodes.stream()
                    .map(node -> new LaneStore.LiveNode(
                            node.node(), node.host(), node.lanes(), node.routing(), node.firstSeen(), true))
                    .toList();
        }
        if (world.isBroken(BrokenVariant.ROUTINGS_NEVER_GONE)) {
            nodes.forEach(node -> world.relaysSeen.put(node.node(), node));
            return world.relaysSeen.values().stream()
                    .filter(node -> nodes.contains(node) || !node.routing().equals(own))
                    .toList();
        }
        return nodes;
    }

    private Event keep(Command.ForKeeper command) {
        LaneStore lanes = database.lanes();
        if (command instanceof Command.Acquire acquire) {
            return new Event.Acquired(lanes.acquire(acquire.owner(), acquire.lanes(), acquire.lease()));
        }
        if (command instanceof Command.Reserve reserve) {
            return new Event.Reserved(lanes.reserve(reserve.owner(), reserve.reservations()));
        }
        if (command instanceof Command.Leave leave) {
            lanes.leave(leave.owner());
            return new Event.Left();
        }
        Command.Beat beat = (Command.Beat) command;
        return look(beat, renew(beat));
    }

    private Event read(Command.ForReader command) {
        if (command instanceof Command.Follow follow) {
            return new Event.Followed(page(follow.request()));
        }
        if (command instanceof Command.FindLateFloor find) {
            return new Event.LateFloorFound(reader.lateFloor(find.previous(), find.reaches(), find.limit()));
        }
        if (command instanceof Command.ReadStreams read) {
            StreamRead answer = reader.readStreams(read.asks(), read.bounds());
            int rows = answer.streams().stream()
                    .mapToInt(stream -> stream.rows().size())
                    .sum();
            world.answered(rows);
            world.watchers.read(rows);
            return new Event.StreamsRead(answer);
        }
        if (command instanceof Command.FindHeld find) {
            return new Event.HeldFound(reader.holders(find.streams()));
        }
        return new Event.PausesRead(reader.pauses());
    }

    private PageAnswer page(PageRequest request) {
        if (world.isBroken(BrokenVariant.READS_EVERYTHING)) {
            PageRequest everything = BrokenReads.fromTheBeginning(request);
            world.watchers.followed(everything, reader.read(everything));
        }
        PageAnswer answer = reader.read(request);
        if (world.isBroken(BrokenVariant.READS_WAIT_FOR_ALL) && world.network.isAnyAway()) {
            answer = BrokenReads.nothing(request, answer);
        }
        if (world.isBroken(BrokenVariant.STALE_READS)) {
            answer = brokenReads.withRowsOfThePageBefore(answer);
        }
        world.watchers.followed(request, answer);
        return answer;
    }

    private Event settle(Command.ForSettler command) {
        if (command instanceof Command.Suspect suspect) {
            if (world.isBroken(BrokenVariant.CRASHES_NOT_COUNTED)) {
                Set<java.util.UUID> ids = new HashSet<>();
                suspect.suspects().forEach(one -> ids.add(one.key().id()));
                return new Event.Suspected(ids);
            }
            return new Event.Suspected(database.settler().suspect(suspect.owner(), suspect.suspects()));
        }
        MessageSettler.Batch batch = ((Command.Settle) command).batch();
        if (world.isBroken(BrokenVariant.SETTLED_NOTHING) && batch.releases().isEmpty()) {
            return new Event.BatchSettled(
                    new MessageSettler.Settled(batch.successes().size(), Set.of()));
        }
        return new Event.BatchSettled(database.settler().settle(batch));
    }

    private boolean refused(MessageSettler.Success success, MessageSettler.Batch of) {
        return world.refusedRows.refuses(new Command.Settle(
                new MessageSettler.Batch(of.owner(), List.of(success), List.of(), of.archive(), List.of())));
    }

    /** What fails may have done a part of its work, where that is not one transaction: some of the successes. */
    void performPart(Command command, Dice dice) {
        if (command instanceof Command.Beat beat) {
            renew(beat);
        } else if (command instanceof Command.Settle settle
                && settle.batch().failures().isEmpty()
                && settle.batch().releases().isEmpty()) {
            MessageSettler.Batch whole = settle.batch();
            List<MessageSettler.Success> part = whole.successes().stream()
                    .filter(success -> dice.chance(0.5) && !refused(success, whole))
                    .toList();
            database.settler()
                    .settle(new MessageSettler.Batch(whole.owner(), part, List.of(), whole.archive(), List.of()));
        }
    }
}
