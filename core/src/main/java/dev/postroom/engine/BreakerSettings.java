package dev.postroom.engine;

import java.time.Duration;

/**
 * When a destination is held, and how soon it is tried again.
 *
 * @param probeInterval how soon it is tried when it is down; then less and less often
 * @param failuresInARow after so many failures of messages of several streams it is held, too; 0: never
 */
public record BreakerSettings(Duration probeInterval, int failuresInARow) {}
