package dev.postroom.operations;

import java.time.Instant;

/**
 * The outbox at one moment, for meters that are read again and again: one short transaction, whatever the backlog.
 *
 * @param at the moment, by the database's clock
 * @param poisonCandidates messages that failed at least so often as was asked for and are not dead yet; of the first
 *     {@value MessagePage#EXACT_UP_TO} that failed
 */
public record Gauges(Instant at, Stats stats, long poisonCandidates) {}
