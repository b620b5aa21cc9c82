package dev.postroom.jdbc.internal;

/**
 * The statements of {@link JdbcLanes}, one class per database. Durations are in microseconds and count from the
 * database's clock. Where a statement takes lanes, it takes exactly 64 in an IN list, the last repeated.
 */
public interface LaneSql {

    /** The condition on lanes in all these statements. */
    String LANES = "lane IN (" + "?, ".repeat(63) + "?)";

    /** All of lane, owner, epoch, expired, reserved_from, reserved_to, by lane, without locking. */
    String lanes();

    /** The same of the lanes given, locked in lane order. Parameters: lanes. */
    String lock();

    /** Parameters: lease, lanes. */
    String prolong();

    /** Parameters: owner, lease, lanes. */
    String take();

    /** Parameters: lanes. */
    String release();

    /** Parameters: from, to, lane. */
    String reserve();

    /** Parameters: node, host, version, details. */
    String report();

    /** Parameters: node. */
    String leave();

    /** node, host, lanes of those seen lately. Parameters: within. */
    String liveNodes();

    /** All of bit, name. */
    String destinations();

    /** Parameters: bit, name. */
    String addDestination();
}
