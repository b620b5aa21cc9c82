package dev.postroom.relay;

import dev.postroom.engine.EngineListener;
import java.time.Duration;

/** How a relay behaves beside delivering. */
record Conduct(
        String name, Duration stopTimeout, Duration summaryInterval, Retention retention, EngineListener listener) {}
