package dev.postroom.admin.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.view.HistoryView.Point;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Readings.Reading;
import dev.postroom.operations.RelayReport;
import dev.postroom.operations.RelayReport.Minute;
import dev.postroom.operations.Stats;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R54")
class HistoryTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final Minute MINUTE = new Minute(120, 30, 10.0, 20.0, 30.0);

    private final History history = new History();

    /** A relay that reported so many seconds after it started. */
    private static NodeItem relay(String name, boolean alive, int seconds, long delivered, long failed, Minute minute) {
        return new NodeItem(
                name,
                "host",
                "1",
                START,
                START.plusSeconds(seconds),
                alive,
                32,
                "{}",
                "",
                new RelayReport(
                        0,
                        List.of(),
                        delivered,
                        failed,
                        minute,
                        0,
                        0,
                        RelayReport.Recording.FINE,
                        RelayReport.Reading.FINE,
                        null,
                        null,
                        Map.of()));
    }

    private static NodeItem relay(int seconds, long delivered, long failed) {
        return relay("a", true, seconds, delivered, failed, MINUTE);
    }

    private Point add(int seconds, NodeItem... relays) {
        Stats stats = new Stats(7, true, 0, 0, 0, 0, 3, 0, 0, 0, 0, null, null);
        history.add(new Reading(stats, List.of(relays), List.of()), START.plusSeconds(seconds));
        List<Point> points = history.view().points();
        return points.get(points.size() - 1);
    }

    @Test
    void rates_are_what_a_relay_did_between_two_of_its_reports() {
        add(100, relay(100, 1_000, 50));
        Point point = add(110, relay(104, 1_200, 58));
        assertThat(point.deliveredPerSecond()).isEqualTo(50);
        assertThat(point.failedPerSecond()).isEqualTo(2);
        assertThat(point.backlog()).isEqualTo(7);
        assertThat(point.dead()).isEqualTo(3);
        assertThat(point.at()).isEqualTo(START.plusSeconds(110));
    }

    @Test
    void report_that_is_seen_twice_says_the_same_twice() {
        add(100, relay(100, 1_000, 50));
        add(105, relay(104, 1_200, 58));
        assertThat(add(106, relay(104, 1_200, 58)).deliveredPerSecond()).isEqualTo(50);
    }

    @Test
    void first_report_and_one_after_a_restart_tell_of_the_last_minute() {
        assertThat(add(100, relay(100, 1_000, 50)).deliveredPerSecond()).isEqualTo(2);
        Point restarted = add(110, relay(110, 10, 0));
        assertThat(restarted.deliveredPerSecond()).isEqualTo(2);
        assertThat(restarted.failedPerSecond()).isEqualTo(0.5);
        assertThat(new History().view().points()).isEmpty();
    }

    @Test
    void young_relay_counts_by_its_own_age() {
        assertThat(add(20, relay(20, 120, 30)).deliveredPerSecond()).isEqualTo(6);
    }

    @Test
    void relays_add_up_the_middle_is_weighed_and_of_the_tail_the_worst_is_told() {
        Minute slow = new Minute(40, 0, 50.0, 90.0, 25.0);
        Point point = add(
                100,
                relay(100, 1_000, 50),
                relay("b", true, 100, 500, 0, slow),
                relay("gone", false, 100, 9_999, 9_999, new Minute(9_999, 9_999, 999.0, 999.0, 999.0)));
        assertThat(point.deliveredPerSecond()).isEqualTo(2.67);
        assertThat(point.p50Millis()).isEqualTo((120 * 10 + 40 * 50) / 160.0);
        assertThat(point.p95Millis()).isEqualTo(90);
        assertThat(point.p99Millis()).isEqualTo(30);
    }

    @Test
    void an_hour_is_kept() {
        for (int i = 0; i < 725; i++) {
            add(i, relay(i + 1, i, 0));
        }
        assertThat(history.view().intervalSeconds()).isEqualTo(5);
        assertThat(history.view().points()).hasSize(720);
        assertThat(history.view().points().get(0).at()).isEqualTo(START.plusSeconds(5));
    }
}
