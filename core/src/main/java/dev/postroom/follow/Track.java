package dev.postroom.follow;

import dev.postroom.engine.Locating.Whereabouts;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lane's way to one destination: its followers, the streams that fell behind there, and what it has in memory. Holds the rule
 * of admission.
 */
final class Track {
    private final Lane lane;
    private final Destination destination;
    private final Follower everything = new Follower(null, 0);
    private final List<Follower> parts = new ArrayList<>(0);
    private final BehindStreams behind;
    private final LongMap<StreamQueue> queues = new LongMap<>();
    /** The seqs of what was settled since the read that is under way began. */
    private final StreamSet justSettled = new StreamSet(new StreamBudget(Integer.MAX_VALUE));

    private @Nullable Due missed;
    /** It was missed for want of room for streams' ids, and for nothing else. */
    private boolean missedForRoom;

    /** The latest stop was for want of room for a stream's id. */
    private boolean stoppedForRoom;

    Track(Lane lane, Destination destination) {
        this.lane = lane;
        this.destination = destination;
        this.behind = new BehindStreams(destination.budget());
    }

    Lane lane() {
        return lane;
    }

    Destination destination() {
        return destination;
    }

    // --- the rule of admission ---

    /** See {@link Lane#offer}. */
    Offer.Answer offer(Offer offer, Offer.From from, long page) {
        Message message = offer.message();
        if (!offer.isOwedTo(destination)) {
            return Offer.Answer.NOTHING;
        }
        Delivery known = message.at(destination);
        if (known != null) {
            return offerAgain(offer, known);
        }
        if (lane.memory().wasNotRecorded(message.key().id(), destination)) {
            return stop(offer, from); // the follower that has gone back for it must not be carried past it again
        }
        if (lane.memory().wasJustSettled(message.key().id(), destination)) {
            return lane.memory().hasJustFailed(message.key().id(), destination) ? failing(offer) : Offer.Answer.NOTHING;
        }
        boolean joined = joinUnreached(offer);
        if (!isReached(offer)) {
            // Without the stream's id in its set, later ones would pass: whoever could take them stops here.
            return joined || !everything.hasReached(offer.seq()) ? left(offer) : stopForRoom(offer, from);
        }
        if (offer.isOrdered() && from != Offer.From.STREAM && behind.has(offer.stream())) {
            return leftBehind(offer);
        }
        boolean unknown = from != Offer.From.STREAM && missesEarlier(offer);
        if (unknown || offer.isHeldAt(destination)) {
            return fallBehindHolder(offer, from, unknown);
        }
        if (destination.isPaused() || (destination.isHeld() && !destination.wantsProbes(!offer.isReady()))) {
            return stop(offer, from);
        }
        if (destination.isFull(!offer.isReady())) {
            return stop(offer, from);
        }
        return offerToParts(offer, from, page);
    }

    private Offer.Answer offerAgain(Offer offer, Delivery known) {
        if (!offer.isReady()) {
            offer.message().noLongerReady();
        }
        if (known.isFailing()) {
            return failing(offer);
        }
        if (known.isSent() && offer.isHeldAt(destination)) {
            // A failover brought back what holds it: should it come back unsent, that goes first.
            fall(offer.stream(), offer.seq());
        }
        if (known.isQueued() && offer.version() > known.version()) {
            adopt(offer, known);
        } else if (known.isSent()
                && known.isOrdered()
                && offer.row().message().progress().released()) {
            leaveQueue(known);
        }
        return Offer.Answer.NOTHING;
    }

    /** Somebody changed the row since it was read: what it is now counts for what was not sent. */
    private void adopt(Offer offer, Delivery known) {
        offer.message().adopt(offer.row());
        known.adoptVersion(offer.version());
        if (known.isOrdered() && !offer.isOrdered()) {
            leaveQueue(known);
            destination.lineUp(known);
        } else if (!known.isOrdered() && offer.isOrdered()) {
            destination.stepBack(known);
            queue(offer.stream()).add(known);
        }
    }

    private Offer.Answer failing(Offer offer) {
        missIfDue(offer);
        return Offer.Answer.FAILING;
    }

    /** Whether every follower that it belongs to has reached it. */
    private boolean isReached(Offer offer) {
        if (!everything.hasReached(offer.seq())) {
            return false;
        }
        for (int i = 0; i < parts.size(); i++) {
            Follower part = parts.get(i);
            if (!part.hasReached(offer.seq()) && part.belongs(offer.message(), offer.isOrdered())) {
                return false;
            }
        }
        return true;
    }

    /** Whether a follower that has not reached the row brings all that come after it in its stream, whosever they are. */
    boolean isRestAhead(Offer left) {
        if (!everything.hasReached(left.seq())) {
            return true;
        }
        for (Follower follower : parts) {
            if (follower.part() instanceof Part.OfGate part
                    && !follower.hasReached(left.seq())
                    && left.holdsStream()
                    && part.belongs(left.message(), true)) {
                return true;
            }
        }
        return false;
    }

    /** Its stream joins the gates that it is left to. Whether all of them had room. */
    private boolean joinUnreached(Offer offer) {
        boolean joined = true;
        for (int i = 0; i < parts.size(); i++) {
            Follower follower = parts.get(i);
            if (follower.part() instanceof Part.OfGate part
                    && !follower.hasReached(offer.seq())
                    && offer.holdsStream()
                    && part.belongs(offer.message(), true)) {
                if (part.streams().hasRoomFor(offer.stream())) {
                    part.streams().add(offer.stream(), offer.seq());
                } else {
                    joined = false;
                }
            }
        }
        return joined;
    }

    private Offer.Answer left(Offer offer) {
        missIfDue(offer);
        return Offer.Answer.LEFT;
    }

    /** The read of its stream brings it, also if it is due. */
    private Offer.Answer leftBehind(Offer offer) {
        behind.left(offer.stream(), offer.seq());
        if (!offer.isReady()) {
            behind.want(offer.stream());
        }
        return Offer.Answer.LEFT;
    }

    private Offer.Answer fallBehindHolder(Offer offer, Offer.From from, boolean unknown) {
        if (!mayFall(offer.stream())) {
            return stopForRoom(offer, from);
        }
        fall(offer.stream(), offer.seq());
        if (unknown) {
            behind.want(offer.stream());
        }
        return Offer.Answer.LEFT;
    }

    /** A row before it in its stream is nowhere here: it committed late, and has to go first. */
    private boolean missesEarlier(Offer offer) {
        List<FollowedMessage.Earlier> earlier = offer.row().earlier();
        if (earlier.isEmpty() || !offer.isOrdered()) {
            return false;
        }
        for (FollowedMessage.Earlier one : earlier) {
            if ((one.destinations() & destination.mask()) != 0 && !knows(offer.stream(), one.seq())) {
                return true;
            }
        }
        return false;
    }

    private boolean knows(long stream, long seq) {
        StreamQueue queue = queues.get(stream);
        return (queue != null && queue.has(seq)) || justSettled.contains(seq);
    }

    private Offer.Answer stopForRoom(Offer offer, Offer.From from) {
        stoppedForRoom = true;
        boolean first = missed == null || missedForRoom;
        Offer.Answer stopped = stop(offer, from);
        missedForRoom = first;
        return stopped;
    }

    private Offer.Answer stop(Offer offer, Offer.From from) {
        if (!offer.isReady()) {
            miss(offer.due());
        } else if (from == Offer.From.LATE) {
            everything.goBackBefore(offer.seq());
        }
        return Offer.Answer.STOP;
    }

    private Offer.Answer offerToParts(Offer offer, Offer.From from, long page) {
        Message message = offer.message();
        Gate gate = shutGate(offer);
        if (gate != null) {
            // Left to another topic's gate, it is found there only by its stream.
            boolean joins = offer.holdsStream() || !gate.guards(message);
            Follower follower = partOf(gate);
            if (follower == null && !hasRoomForPart()) {
                return stop(offer, from);
            }
            if (joins && !hasRoomBehind(follower, offer.stream())) {
                return stopForRoom(offer, from);
            }
            Follower part = follower == null ? beginPart(gate, offer.seq()) : follower;
            leaveTo(part, offer.seq(), page);
            if (joins) {
                streamsOf(part).add(offer.stream(), offer.seq());
            }
            return left(offer);
        }
        if (destination.isTenantFull(message.tenant())) {
            Follower follower = partOf(message.tenant());
            if (follower == null && !hasRoomForPart()) {
                return stop(offer, from);
            }
            leaveTo(follower == null ? beginPart(message.tenant(), offer.seq()) : follower, offer.seq(), page);
            return left(offer);
        }
        return offerToStream(offer, from);
    }

    /** The gate that keeps it out: its own, or that of an earlier one of its stream which waits in memory to be tried. */
    private @Nullable Gate shutGate(Offer offer) {
        Gate own = destination.closedGate(offer.message());
        if (own != null && own.isShut(!offer.isReady())) {
            return own;
        }
        StreamQueue queue = offer.isOrdered() && destination.hasGates() ? queues.get(offer.stream()) : null;
        return queue == null ? null : queue.gateBefore(offer.seq());
    }

    private void leaveTo(Follower part, long seq, long page) {
        part.goBackBefore(seq);
        part.refusedIn(page);
    }

    private Offer.Answer offerToStream(Offer offer, Offer.From from) {
        StreamQueue queue = offer.isOrdered() ? queues.get(offer.stream()) : null;
        if (queue != null && queue.size() >= destination.streamShare()) {
            if (from != Offer.From.STREAM && !mayFall(offer.stream())) {
                return stopForRoom(offer, from);
            }
            fall(offer.stream(), offer.seq());
            return Offer.Answer.OVER_SHARE;
        }
        take(offer);
        return Offer.Answer.TAKEN;
    }

    private void take(Offer offer) {
        Message message = offer.message();
        if (!message.isInMemory()) {
            lane.memory().add(message);
        } else if (offer.version() > message.row().message().progress().version()) {
            message.adopt(offer.row());
        }
        Delivery delivery = message.deliver(this, offer.version());
        destination.took(delivery);
        if (offer.isOrdered()) {
            queue(offer.stream()).add(delivery);
        } else {
            destination.lineUp(delivery);
        }
    }

    /** A sweep shows a ready row. Whether it is owed here, and in none of the places from which it would come. */
    boolean misses(Offer row) {
        if (!row.isOwedTo(destination)) {
            return false;
        }
        if (row.isOrdered()) {
            behind.left(row.stream(), row.seq());
        }
        return whereIs(row) == Whereabouts.NOWHERE;
    }

    /** Where a row that is owed here is to come from. */
    Whereabouts whereIs(Offer row) {
        Message message = row.message();
        boolean present = message.at(destination) != null
                || lane.memory().wasJustSettled(message.key().id(), destination);
        if (present) {
            return Whereabouts.IN_MEMORY;
        }
        if (row.isOrdered() && behind.has(row.stream())) {
            return Whereabouts.BEHIND;
        }
        if (row.isReady()) {
            return isReached(row) ? Whereabouts.NOWHERE : Whereabouts.AHEAD;
        }
        if (missed != null && missed.compareTo(row.due()) <= 0) {
            return Whereabouts.MISSED;
        }
        return lane.dueUpTo().compareTo(row.due()) < 0 ? Whereabouts.NOT_YET_DUE : Whereabouts.NOWHERE;
    }

    // --- followers ---

    Follower everything() {
        return everything;
    }

    List<Follower> parts() {
        return parts;
    }

    long reach() {
        long highest = everything.position();
        for (Follower part : parts) {
            highest = Math.max(highest, part.position());
        }
        return highest;
    }

    void addAblePositions(Set<Long> positions) {
        if (destination.isAble()) {
            for (int i = -1; i < parts.size(); i++) {
                Follower follower = follower(i);
                boolean waitsForRoom =
                        follower.lacksRoom() && !destination.budget().hasRoom();
                if (follower.isAble() && !waitsForRoom) {
                    positions.add(follower.position());
                }
            }
        }
    }

    /** A walk comes over a row that is owed here. */
    void ride(Walk walk, Offer offer) {
        if (destination.isPaused()) {
            return;
        }
        long seq = offer.seq();
        long mine = 0;
        for (int i = -1; i < parts.size(); i++) {
            Follower follower = follower(i);
            if (follower.rides(walk, seq)) {
                mine |= follower.belongs(offer.message(), offer.isOrdered()) ? 1L << (i + 1) : 0;
                follower.carryTo(seq, walk);
            }
        }
        stoppedForRoom = false;
        if (mine != 0 && offer(offer, Offer.From.RANGE, walk.page()) == Offer.Answer.STOP) {
            for (int i = -1; i < parts.size(); i++) {
                if ((mine & 1L << (i + 1)) != 0) {
                    follower(i).stopBefore(seq, walk, stoppedForRoom);
                }
            }
        }
    }

    /** A walk has ended: whoever it still carries stands there. */
    void arrive(Walk walk, long at) {
        if (!destination.isPaused()) {
            for (int i = -1; i < parts.size(); i++) {
                if (follower(i).rides(walk, at)) {
                    follower(i).carryTo(at, walk);
                }
            }
        }
    }

    /** Followers that were stopped for want of room are tried again: what stopped them may have gone. */
    void tryAgain() {
        everything.tryAgain();
        parts.forEach(Follower::tryAgain);
    }

    private Follower follower(int i) {
        return i < 0 ? everything : parts.get(i);
    }

    private boolean hasRoomForPart() {
        return parts.size() < destination.share().parts();
    }

    private boolean hasRoomBehind(@Nullable Follower part, long stream) {
        return part == null ? destination.budget().hasRoom() : streamsOf(part).hasRoomFor(stream);
    }

    private static LeftStreams streamsOf(Follower part) {
        if (part.part() instanceof Part.OfGate ofGate) {
            return ofGate.streams();
        }
        throw new IllegalStateException("only what a gate held back has streams");
    }

    private @Nullable Follower partOf(Gate gate) {
        for (Follower follower : parts) {
            if (follower.part() instanceof Part.OfGate part && part.gate() == gate) {
                return follower;
            }
        }
        return null;
    }

    private @Nullable Follower partOf(String tenant) {
        for (Follower follower : parts) {
            if (follower.part() instanceof Part.OfTenant part && part.tenant().equals(tenant)) {
                return follower;
            }
        }
        return null;
    }

    private Follower beginPart(Gate gate, long before) {
        gate.partBegan();
        return begin(new Part.OfGate(gate, new LeftStreams(destination.budget())), before);
    }

    private Follower beginPart(String tenant, long before) {
        return begin(new Part.OfTenant(tenant, destination), before);
    }

    private Follower begin(Part part, long before) {
        Follower follower = new Follower(part, before - 1);
        parts.add(follower);
        return follower;
    }

    void goBackBefore(long seq) {
        everything.goBackBefore(seq);
        parts.forEach(part -> part.goBackBefore(seq));
    }

    void readEnded() {
        behind.readEnded();
        if (!justSettled.isEmpty()) {
            justSettled.clear();
        }
        dissolve();
    }

    /** A part of which nothing is left that the follower of everything has not ahead of it as well. */
    private void dissolve() {
        if (parts.isEmpty()) {
            return;
        }
        for (int i = parts.size() - 1; i >= 0; i--) {
            Follower follower = parts.get(i);
            Part part = follower.part();
            if (part != null && everything.position() <= follower.position()) {
                parts.remove(i);
                part.end();
            }
        }
    }

    void startOver() {
        everything.goBackBefore(1);
        parts.forEach(part -> {
            if (part.part() != null) {
                part.part().end();
            }
        });
        parts.clear();
        missed = null;
        // All rows are ahead now; only what has failed is not in the database yet, and has to hold its stream.
        behind.clear();
        queues.forEach(queue -> {
            if (queue.hasFailing()) {
                fall(queue.stream(), 1);
            }
        });
    }

    // --- streams behind ---

    /** A read of the stream was cut off, and there is room for more of it. */
    void wantIfFewLeft(long stream) {
        StreamQueue queue = queues.get(stream);
        if (queue == null || queue.size() <= destination.share().streamMessages() / 4) {
            behind.want(stream);
        }
    }

    BehindStreams behind() {
        return behind;
    }

    /** A read of the stream left nothing, or what it left is ahead of a follower; unless one of it has failed, and nobody knows of it yet. */
    void catchUp(long stream) {
        StreamQueue queue = queues.get(stream);
        if (queue == null || !queue.hasFailing()) {
            behind.catchUp(stream);
        }
    }

    private void fall(long stream, long seq) {
        behind.fall(stream, lane.memory().isReading());
        behind.left(stream, seq);
    }

    /** A stream that waits at a gate already may fall behind in any case, or the gate's follower could never get past it. */
    private boolean mayFall(long stream) {
        if (behind.hasRoomFor(stream)) {
            return true;
        }
        for (Follower follower : parts) {
            if (follower.part() instanceof Part.OfGate part && part.streams().contains(stream)) {
                return true;
            }
        }
        return false;
    }

    private void missIfDue(Offer offer) {
        if (!offer.isReady()) {
            miss(offer.due());
        }
    }

    private void miss(Due place) {
        missed = Due.lower(missed, place);
        missedForRoom = false;
    }

    /** Whether what was missed may be taken now: the destination can, and no follower is behind the others. */
    boolean mayTakeMissed() {
        boolean hasRoom = !missedForRoom || destination.budget().hasRoom();
        return missed != null
                && hasRoom
                && destination.isAble()
                && parts.isEmpty()
                && everything.position() >= lane.reach();
    }

    @Nullable
    Due missed() {
        return missed;
    }

    @Nullable
    Due takeMissed() {
        Due taken = missed;
        missed = null;
        return taken;
    }

    // --- what is in memory ---

    private StreamQueue queue(long stream) {
        StreamQueue queue = queues.get(stream);
        if (queue == null) {
            queue = new StreamQueue(stream, destination);
            queues.put(stream, queue);
        }
        return queue;
    }

    private void leaveQueue(Delivery delivery) {
        StreamQueue queue = delivery.queue();
        if (queue != null) {
            queue.remove(delivery);
            if (queue.size() == 0) {
                queues.remove(queue.stream());
            }
        }
    }

    /** @param asProbe although its gate is closed, or the destination held */
    void sent(Delivery delivery, boolean asProbe, long now) {
        delivery.sent(asProbe, now);
        destination.putOnTheWire(delivery);
        if (asProbe) {
            destination.probeSent(delivery);
        }
        turn(delivery);
    }

    void confirmed(Delivery delivery) {
        destination.cameBack();
        delivery.confirmed();
        destination.forgetAtGates(delivery);
        turn(delivery);
    }

    /** It failed, and that is its own fault. */
    void failed(Delivery delivery, Outcome.Failed why) {
        if (delivery.isSent()) {
            destination.cameBack();
        }
        destination.stepBack(delivery);
        delivery.failed(why);
        destination.forgetAtGates(delivery);
        StreamQueue queue = delivery.queue();
        if (queue != null) {
            queue.next();
            if (delivery.message().topic().holdsStream()) {
                fall(queue.stream(), delivery.seq());
                queue.unsentFrom(0).forEach(this::drop);
            }
        }
    }

    /** It failed like everything there: it makes room for others to be tried, and is tried again later. */
    void spared(Delivery delivery, Outcome.Failed why) {
        delivery.spare();
        failed(delivery, why);
    }

    /** It was tried in vain for long enough. */
    void gaveUp(Delivery delivery, Outcome.Failed why) {
        delivery.giveUp();
        failed(delivery, why);
    }

    /** It came back from the wire, and may go again: unless something of its stream was left meanwhile that has to go first. */
    void returned(Delivery delivery) {
        destination.cameBack();
        delivery.returned();
        if (isLeftNow(delivery)) {
            putOff(delivery, null);
            return;
        }
        Gate gate = destination.closedGate(delivery.message());
        if (gate != null) {
            gate.forget(delivery);
            if (gate.isShut(!delivery.message().isReady())) {
                putOff(delivery, gate);
                return;
            }
            gate.keep(delivery);
            putOffBehind(delivery, gate);
        }
        if (delivery.queue() == null) {
            destination.lineUp(delivery);
        } else {
            delivery.queue().next();
        }
    }

    private void turn(Delivery delivery) {
        StreamQueue queue = delivery.queue();
        if (queue != null) {
            queue.next();
        }
    }

    /** Whether an earlier one of its stream may have been left while it was on the wire: then it is left, too. */
    private boolean isLeftNow(Delivery delivery) {
        StreamQueue queue = delivery.queue();
        if (queue == null) {
            return false;
        }
        if (behind.has(queue.stream()) || !everything.hasReached(delivery.seq())) {
            return true;
        }
        for (Follower part : parts) {
            if (!part.hasReached(delivery.seq()) && part.belongs(delivery.message(), true)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A closed gate keeps it, and later ones of its stream, out of memory; or, without a gate, whatever earlier ones of its
     * stream were left to.
     */
    void putOff(Delivery delivery, @Nullable Gate gate) {
        if (gate != null) {
            Follower known = partOf(gate);
            Follower part = known == null ? beginPart(gate, delivery.seq()) : known;
            part.goBackBefore(delivery.seq());
        }
        StreamQueue queue = delivery.queue();
        if (queue != null && delivery.message().topic().holdsStream()) {
            joinAll(delivery);
            // A stream of another tenant may have the same id by chance: this one's follower does not bring it.
            queue.unsentFrom(delivery.seq()).stream().filter(this::isLeftNow).forEach(this::drop);
        } else {
            drop(delivery);
        }
    }

    /** A closed gate keeps it in memory to be tried, and puts off later ones of its stream. */
    void putOffBehind(Delivery kept, Gate gate) {
        StreamQueue queue = kept.queue();
        if (queue == null || !kept.message().topic().holdsStream()) {
            return;
        }
        List<Delivery> later = queue.unsentFrom(kept.seq() + 1);
        if (!later.isEmpty()) {
            Follower known = partOf(gate);
            Follower part = known == null ? beginPart(gate, kept.seq() + 1) : known;
            part.goBackBefore(kept.seq() + 1);
            streamsOf(part).add(queue.stream(), later.get(0).seq());
            later.forEach(this::drop);
        }
    }

    /** Later ones of its stream are left to the gates that it is left to, whatever room there is: it was in memory. */
    private void joinAll(Delivery delivery) {
        for (Follower follower : parts) {
            if (follower.part() instanceof Part.OfGate part
                    && !follower.hasReached(delivery.seq())
                    && part.belongs(delivery.message(), true)) {
                part.streams().add(delivery.message().stream(), delivery.seq());
            }
        }
    }

    /** It leaves memory unsent. If its row is not found by number any more, it is found by its due time, or with its stream. */
    void drop(Delivery delivery) {
        StreamQueue queue = delivery.queue();
        if (queue == null || !behind.has(queue.stream())) {
            if (!delivery.message().isReady()) {
                miss(Due.BEGINNING);
            }
        }
        letGo(delivery);
    }

    /** What became of it was recorded. */
    void settled(Delivery delivery) {
        boolean failed = delivery.isFailing();
        rememberSettled(delivery, failed);
        StreamQueue queue = delivery.queue();
        letGo(delivery);
        if (queue != null && !failed) {
            wantIfFewLeft(queue.stream());
        }
    }

    /** It failed, and that was not recorded: somebody changed the row, or it is gone. It is read again, wherever it is found now. */
    void stale(Delivery delivery) {
        lane.memory().notRecorded(delivery);
        if (lane.memory().isReading()) {
            justSettled.add(delivery.seq());
        }
        StreamQueue queue = delivery.queue();
        letGo(delivery);
        everything.goBackBefore(delivery.seq());
        miss(Due.BEGINNING);
        if (queue != null) {
            behind.left(queue.stream(), delivery.seq());
            behind.want(queue.stream());
        }
        if (!lane.memory().isReading()) {
            dissolve();
        }
    }

    /** Its row is not what was read, and it was not sent: it goes like one that was not recorded, and what waited behind it as well. */
    void abandon(Delivery delivery) {
        StreamQueue queue = delivery.queue();
        if (queue != null && delivery.message().topic().holdsStream()) {
            fall(queue.stream(), delivery.seq());
            queue.unsentFrom(delivery.seq() + 1).forEach(this::drop);
        }
        stale(delivery);
    }

    /** Its lane is another's. */
    void forget(Delivery delivery) {
        if (delivery.isSent()) {
            destination.cameBack();
        }
        letGo(delivery);
    }

    private void rememberSettled(Delivery delivery, boolean failed) {
        lane.memory().settled(delivery, failed);
        if (lane.memory().isReading()) {
            justSettled.add(delivery.seq());
        }
    }

    private void letGo(Delivery delivery) {
        tryAgain();
        leaveQueue(delivery);
        delivery.gone();
        destination.letGo(delivery);
        Message message = delivery.message();
        message.letGo(delivery);
        if (!message.isInMemory()) {
            lane.memory().letGo(message);
        }
    }
}
