package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.suite.Schedule.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Variant FIRST = new Variant(0, "", Path.of("jdk"), Map.of(), "");
    private static final Variant SECOND = new Variant(1, "another JDK", Path.of("jdk2"), Map.of(), "");
    private static final TestModule LARGE = module("large");
    private static final TestModule SMALL = module("small");

    @Test
    void a_jvm_goes_where_most_is_left_for_each_that_is_already_there() {
        Schedule schedule = schedule(job(FIRST, LARGE, 50), job(FIRST, LARGE, 40), job(FIRST, SMALL, 60));

        assertThat(schedule.takePlace()).isEqualTo(new Place(FIRST, LARGE));
        assertThat(schedule.takePlace()).isEqualTo(new Place(FIRST, SMALL));
        assertThat(schedule.takePlace()).isEqualTo(new Place(FIRST, LARGE));
    }

    @Test
    void a_jvm_that_left_no_longer_counts() {
        Schedule schedule = schedule(job(FIRST, LARGE, 50), job(FIRST, LARGE, 40), job(FIRST, SMALL, 60));

        schedule.leave(schedule.takePlace());

        assertThat(schedule.takePlace()).isEqualTo(new Place(FIRST, LARGE));
    }

    @Test
    void the_longest_of_a_module_comes_first_and_each_once() {
        Schedule schedule = schedule(job(FIRST, LARGE, 20), job(FIRST, LARGE, 50), job(FIRST, LARGE, 30));
        Place place = new Place(FIRST, LARGE);

        assertThat(List.of(schedule.next(place), schedule.next(place), schedule.next(place)))
                .extracting(Job::selection)
                .containsExactly("50", "30", "20");
        assertThat(schedule.next(place)).isNull();
        assertThat(schedule.takePlace()).isNull();
    }

    @Test
    void a_variant_is_tested_before_the_next_is_begun() {
        Schedule schedule = schedule(job(SECOND, LARGE, 90), job(FIRST, SMALL, 10));

        assertThat(schedule.takePlace()).isEqualTo(new Place(FIRST, SMALL));
        schedule.next(new Place(FIRST, SMALL));
        assertThat(schedule.takePlace()).isEqualTo(new Place(SECOND, LARGE));
    }

    private static Schedule schedule(Job... jobs) {
        return new Schedule(List.of(jobs), job -> Long.parseLong(job.selection()));
    }

    private static Job job(Variant variant, TestModule module, long seconds) {
        return new Job(variant, module, Long.toString(seconds), false);
    }

    private static TestModule module(String name) {
        return new TestModule(name, Path.of(name), "", List.of());
    }
}
