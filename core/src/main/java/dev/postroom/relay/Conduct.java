package dev.postroom.relay;

import dev.postroom.spi.Tracing;
import java.time.Duration;
import java.util.List;

/** How a relay behaves beside delivering. */
record Conduct(
        String name,
        Duration stopTimeout,
        Duration summaryInterval,
        Retention retention,
        List<RelayListener> listeners,
        Tracing tracing) {}
