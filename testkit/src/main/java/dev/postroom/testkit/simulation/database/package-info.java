/**
 * A database in memory that keeps to the ports of {@code dev.postroom.spi}, in virtual time. Start at {@link
 * dev.postroom.testkit.simulation.database.SimulatedDatabase}: its writers' transactions stay open as long as a
 * simulation likes, its clock can be set, and each call of a port happens at one instant.
 */
@NullMarked
package dev.postroom.testkit.simulation.database;

import org.jspecify.annotations.NullMarked;
