package dev.postroom.follow;

import dev.postroom.engine.HeldLane;
import dev.postroom.spi.LaneStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** A lane that this relay holds: its followers, and what has fallen behind. */
final class Lane extends HeldLane {
    private final Memory memory;
    private final List<Track> tracks = new ArrayList<>();
    /** How far it was read by due time. */
    private Due dueUpTo = Due.BEGINNING;

    Lane(LaneStore.Lease lease, long trustedUntil, Memory memory, Collection<Destination> destinations) {
        super(lease, trustedUntil);
        this.memory = memory;
        destinations.forEach(destination -> tracks.add(new Track(this, destination)));
    }

    Memory memory() {
        return memory;
    }

    List<Track> tracks() {
        return tracks;
    }

    Track track(Destination destination) {
        for (Track track : tracks) {
            if (track.destination() == destination) {
                return track;
            }
        }
        throw new IllegalArgumentException("no destination of this relay: " + destination.name());
    }

    /**
     * Offers a row to a destination: the only way into memory, whatever brought the row.
     *
     * @param page the number of the page that it is in
     */
    Offer.Answer offer(Offer offer, Destination destination, Offer.From from, long page) {
        return track(destination).offer(offer, from, page);
    }

    /** Offers a row to all destinations that it is owed to. */
    void offer(Offer offer, Offer.From from, long page) {
        for (Track track : tracks) {
            if (offer.isOwedTo(track.destination())) {
                track.offer(offer, from, page);
            }
        }
    }

    /** The highest position of any follower, whether it can go on or not: a row is late at or below it. */
    long reach() {
        long highest = 0;
        for (Track track : tracks) {
            highest = Math.max(highest, track.reach());
        }
        return highest;
    }

    /** Where followers stand that can go on. */
    NavigableSet<Long> ablePositions() {
        NavigableSet<Long> positions = new TreeSet<>();
        tracks.forEach(track -> track.addAblePositions(positions));
        return positions;
    }

    Due dueUpTo() {
        return dueUpTo;
    }

    void readDueUpTo(Due place) {
        dueUpTo = place;
    }

    /** Reads by due time from the beginning: due times may have committed late, and clocks are set back. */
    void rescanDue() {
        dueUpTo = Due.BEGINNING;
    }

    /** Reads again what a destination has missed. */
    void rereadMissed(Track track) {
        Due missed = track.takeMissed();
        if (missed != null && missed.before().compareTo(dueUpTo) < 0) {
            dueUpTo = missed.before();
        }
    }

    /** Reads again what those destinations have missed that may take it now. Whether there is any. */
    boolean rereadMissed() {
        boolean any = false;
        for (Track track : tracks) {
            if (track.mayTakeMissed()) {
                rereadMissed(track);
                any = true;
            }
        }
        return any;
    }

    /**
     * As {@link #rereadMissed()}, wherever anything may be taken: the slow way, for what waits for a follower that stands still or
     * for an operator.
     */
    boolean rereadMissedSlowly() {
        boolean any = false;
        for (Track track : tracks) {
            track.tryAgain();
            Destination destination = track.destination();
            if (track.missed() != null && (destination.isFlowing() || destination.wantsProbes(true))) {
                rereadMissed(track);
                any = true;
            }
        }
        return any;
    }

    /** Where the foremost stands of those that can go on; at the end if there is none. */
    long foremostAble() {
        NavigableSet<Long> able = ablePositions();
        return able.isEmpty() ? Long.MAX_VALUE : able.last();
    }

    /** A row as low as this is late, and did not come with the page: every follower above goes back before it. */
    void goBackBefore(long seq) {
        tracks.forEach(track -> track.goBackBefore(seq));
    }

    /** Whether a row that was swept up is in none of the places where a row that is owed has to be: then its follower goes back. */
    boolean goBackIfMissing(Offer swept) {
        boolean missing = false;
        for (Track track : tracks) {
            if (track.misses(swept)) {
                track.everything().goBackBefore(swept.seq());
                missing = true;
            }
        }
        return missing;
    }

    /** No read is under way any more. */
    void readEnded() {
        tracks.forEach(Track::readEnded);
    }

    /**
     * Another server answers, or its numbers went backwards: positions mean nothing any more, and rows that had left may be back. What
     * was not sent is read again, so that it does not go before one of these.
     */
    void startOver() {
        for (Message message : List.copyOf(memory.messages())) {
            if (message.lane() == this) {
                message.dropUnsent();
            }
        }
        dueUpTo = Due.BEGINNING;
        tracks.forEach(Track::startOver);
    }
}
