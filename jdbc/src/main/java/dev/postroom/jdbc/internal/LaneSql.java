package dev.postroom.jdbc.internal;

/**
 * The statements of {@link JdbcLanes}, one class per database. Durations are in microseconds and count from the
 * database's clock. Where a statement takes lanes, it takes exactly 64 in an IN list, the last repeated.
 */
public interface LaneSql {

    /** The condition on lanes in all these statements. */
    String LANES = "lane IN (" + "?, ".repeat(63) + "?)";

    /** All of lane, owner, epoch, expired, reserved_from, reserved_to, routing, by lane, without locking. */
    String lanes();

    /** The same of the lanes given, locked in lane order. Parameters: lanes. */
    String lock();

    /** Parameters: lease, lanes. */
    String prolong();

    /** Parameters: owner, lease, routing, lanes. */
    String take();

    /** The routing that a relay reported. Parameters: node. */
    String routingOf();

    /** Unless it is known; newer than all others, whatever the clock says. Parameters: fingerprint, routes, fingerprint. */
    String addRouting();

    /** From now on, unless it is in force already. Parameters: fingerprint. */
    String beginForce();

    /** Until now. Parameters: fingerprint. */
    String endForce();

    /** Parameters: lanes. */
    String release();

    /** Parameters: from, to, lane. */
    String reserve();

    /** Parameters: node, host, version, details, routing, lease and ripe_after in milliseconds. */
    String report();

    /** Parameters: node. */
    String leave();

    /**
     * node, host, lanes, routing, ripe (a boolean) and first_seen (of the routing, null when nobody has added it) of
     * those seen lately, in whose future none can have been seen. Parameters: within, within.
     */
    String liveNodes();

    /** All of bit, name. */
    String destinations();

    /** Parameters: bit, name. */
    String addDestination();
}
