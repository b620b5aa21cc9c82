package dev.postroom.engine;

/**
 * When something happened.
 *
 * @param nanos by a clock that only moves forward; everything is decided by this one
 * @param wallMillis by the machine's clock; only compared with the other, to notice that the machine was asleep or its
 *     clock was set
 */
public record Moment(long nanos, long wallMillis) {}
