package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R38")
class PaceTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    @Test
    void lets_no_more_through_than_the_rate() {
        Pace pace = new Pace(100);
        int admitted = 0;
        for (long now = 0; now < 1_000 * MILLI; now += MILLI / 2) {
            admitted += goes(pace, now) ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(100);
    }

    @Test
    void lets_somebody_catch_up_who_came_a_little_late() {
        Pace pace = new Pace(1_000);
        int admitted = 0;
        for (long now = 0; now < 1_000 * MILLI; now += 5 * MILLI) {
            while (goes(pace, now)) {
                admitted++;
            }
        }
        assertThat(admitted).isBetween(995, 1_005);
    }

    @Test
    void does_not_make_up_for_a_long_pause() {
        Pace pace = new Pace(100);
        goes(pace, 0);
        int admitted = 0;
        while (goes(pace, 10_000 * MILLI)) {
            admitted++;
        }
        assertThat(admitted).isEqualTo(1);
    }

    private static boolean goes(Pace pace, long now) {
        boolean admitted = pace.admits(now);
        if (admitted) {
            pace.count(now);
        }
        return admitted;
    }
}
