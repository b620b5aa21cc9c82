/**
 * Metrics and traces through Micrometer. {@link dev.postroom.micrometer.PostroomMetrics} counts what a relay does and shows
 * how an outbox stands; {@link dev.postroom.micrometer.ObservationTracing} carries traces along with messages.
 *
 * <p>What is counted per message is looked up once per destination and then only added to, because it is done on the thread
 * that decides for all messages. What must be asked of the database is asked once for all gauges, see {@code Snapshots}.
 */
@NullMarked
package dev.postroom.micrometer;

import org.jspecify.annotations.NullMarked;
