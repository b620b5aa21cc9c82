package dev.postroom.spi;

import dev.postroom.operations.RoutingText;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which relay owns which of the {@value #LANES} lanes, until when by the database's clock. Each call is one short
 * transaction that locks lanes in lane order. Not thread-safe; owns one connection.
 */
public interface LaneStore extends AutoCloseable {
    int LANES = 64;

    /** All lanes, without locking. */
    List<Lane> lanes();

    /** Prolongs what the owner still holds and returns it; a lane missing from the answer is lost. */
    List<Lease> renew(String owner, Duration lease);

    /**
     * Takes those of the lanes that are free or expired, raising their epoch. What another relay holds is left alone. If a
     * lane was last taken under another routing than the owner has reported, the handover is recorded with it: since when
     * the owner's routing is in force, and until when the other was.
     */
    List<Lease> acquire(String owner, Collection<Integer> lanes, Duration lease);

    /** Gives lanes back at once; those that are no longer the owner's are left alone. */
    void release(String owner, Collection<Lease> leases);

    /**
     * Records, before the rows are read, how far the owner may read in each lane, so that whoever takes over after a
     * crash knows which rows to suspect. Returns the lanes for which it was recorded.
     */
    List<Lease> reserve(String owner, Collection<Reservation> reservations);

    /** Tells the others that this relay lives, and what it knows. */
    void report(NodeReport report);

    /** Forgets this relay. */
    void leave(String node);

    /** The relays that reported within this time, or within their own lease where that is longer. */
    List<LiveNode> liveNodes(Duration within);

    /** The bits of these destinations in {@link StoredMessage.Progress#completed()}, given out on first use. */
    Destinations destinations(Collection<String> names);

    /** Breaks off the call that another thread is in, which then fails. For any thread; never needed. */
    default void cancel() {}

    @Override
    void close();

    /**
     * A lane as it stands.
     *
     * @param owner null when free
     * @param leaseMark changes with every renewal and means nothing else; null when free
     * @param expired whether the lease has ended; false when free
     * @param suspectFrom first seq of the reserved window, see {@link Reservation}
     */
    record Lane(
            int lane,
            @Nullable String owner,
            long epoch,
            @Nullable String leaseMark,
            boolean expired,
            long suspectFrom,
            long suspectTo) {}

    /**
     * A lane held.
     *
     * @param tookOver the owner before did not give it back: rows within the suspect window may have killed it
     */
    record Lease(int lane, long epoch, boolean tookOver, long suspectFrom, long suspectTo) {}

    /** The owner of this epoch reads no seq beyond {@code to} before it reserves again; from is its lowest unsettled. */
    record Reservation(int lane, long epoch, long from, long to) {}

    /**
     * What a relay tells about itself.
     *
     * @param details JSON object: in flight, breakers, rates; shown to operators, at most 64 KiB
     * @param routing what it delivers by; remembered with when it was first seen
     * @param lease how long it may be silent before others may take it for gone
     * @param ripeAfter how long after its first report its routes may take over from older ones; zero: at
     *     once, whatever the database's clock says of its first report
     */
    record NodeReport(
            String node,
            String host,
            String version,
            String details,
            RoutingText routing,
            Duration lease,
            Duration ripeAfter) {}

    /**
     * A relay that lives.
     *
     * @param routing the fingerprint of what it delivers by, empty when it told none
     * @param firstSeen when that was seen first, of all relays that ever had it
     * @param ripe whether it has lived for as long as it said, so that its routes may take over
     */
    record LiveNode(String node, String host, int lanes, String routing, Instant firstSeen, boolean ripe) {}
}
