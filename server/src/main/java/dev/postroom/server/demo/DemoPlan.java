package dev.postroom.server.demo;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What to show.
 *
 * @param rate orders per second
 * @param length how long to take orders, or null until the process is told to end
 * @param adminPort where the admin page is, 0 for any free port
 */
public record DemoPlan(double rate, @Nullable Duration length, int adminPort) {}
