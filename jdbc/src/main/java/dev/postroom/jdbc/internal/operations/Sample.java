package dev.postroom.jdbc.internal.operations;

import java.util.List;

/**
 * How many of the rows that a list looked at were on it.
 *
 * @param states those of live rows that can match; none when nothing follows from this sample for other rows
 */
record Sample(List<Integer> states, long matching, long lookedAt) {}
