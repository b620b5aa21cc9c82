package dev.postroom.jdbc.internal.operations;

import java.time.Duration;
import java.time.Instant;

/** What is to go: older than the duration, hence archived before the time; up to {@code limit} rows. */
record PurgeRequest(Duration olderThan, Instant before, int limit) {}
