/**
 * Real processes under faults. A {@code Shop} writes orders and messages in one transaction, {@code RelayProcess}es deliver
 * them to a RabbitMQ, a {@code Receiver} takes them from there, and {@code Faults} makes trouble. At the end a
 * {@code Verdict} compares the shop's own table with what arrived.
 */
@NullMarked
package dev.postroom.benchmark.chaos;

import org.jspecify.annotations.NullMarked;
