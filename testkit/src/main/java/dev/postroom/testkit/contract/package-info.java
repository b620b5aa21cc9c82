/**
 * The behaviours that every store and transport must show, as abstract test classes, one per area: a database passes them all or is
 * not supported. Read {@code LateCommitContract} for the rule that reading rests on.
 *
 * <p>A test class per database implements {@link dev.postroom.testkit.contract.DatabaseUnderTest.Given} and nests an
 * empty subclass of each contract. {@code StoreContract} gives a test its tables, cleared; {@code Tx} is one transaction
 * on a connection of its own; {@code ReferenceReader} plays the relay's part in reading, so that the same test fits a
 * database that knows its late commits and one that does not.
 *
 * <p>{@code TransportContract} is the same for transports: a subclass gives it a
 * {@link dev.postroom.testkit.contract.DestinationUnderTest}.
 */
@NullMarked
package dev.postroom.testkit.contract;

import org.jspecify.annotations.NullMarked;
