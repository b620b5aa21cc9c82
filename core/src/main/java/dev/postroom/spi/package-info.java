/**
 * The ports that a database implements. Read in this order:
 *
 * <ol>
 *   <li>{@link dev.postroom.spi.MessageWriter} writes in the caller's transaction,
 *   <li>{@link dev.postroom.spi.LaneStore} says which relay owns which lanes,
 *   <li>{@link dev.postroom.spi.FollowReader} reads what is to be sent,
 *   <li>{@link dev.postroom.spi.MessageSettler} records what became of it,
 *   <li>{@link dev.postroom.operations.OperationsStore} is what operators see and change,
 *   <li>{@link dev.postroom.operations.Maintenance} forgets what is no longer needed,
 *   <li>{@link dev.postroom.spi.Schema} brings the tables up to date.
 * </ol>
 *
 * <p>All times are the database's: a port takes durations and returns instants, so that no node's clock decides
 * anything. Every list that a port returns is bounded by a limit its caller gives.
 *
 * <h2>The states of a live row</h2>
 *
 * {@link dev.postroom.spi.RowState} is derived in the database from {@code dead_at}, {@code retry_at} and
 * {@code available_at}; nothing writes it. READY rows are read forward by sequence number, DELAYED and WAITING rows by
 * due time, DEAD rows by nobody. A row that comes back (an operator's retry) becomes WAITING and due now, because its
 * sequence number may lie behind every follower.
 */
@NullMarked
package dev.postroom.spi;

import org.jspecify.annotations.NullMarked;
