package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ActionResultTest {

    @Test
    void count_that_ended_at_the_most_that_are_counted_is_not_passed_off_as_all() {
        assertThat(new ActionResult(Bulk.MOST - 1, 3).matchedInWords()).isEqualTo("99999");
        assertThat(new ActionResult(Bulk.MOST, 3)).isEqualTo(new ActionResult(Bulk.MOST, false, 3, 0));
        assertThat(new ActionResult(Bulk.MOST, 3).matchedInWords()).isEqualTo("at least 100,000");
        assertThat(new ActionResult(Bulk.MOST, true, 3, 0).matchedInWords()).isEqualTo("100000");
    }

    @Test
    void two_together_are_exact_only_when_both_are() {
        ActionResult exact = new ActionResult(5, true, 3, 2);
        ActionResult other = new ActionResult(70, false, 40, 10);
        assertThat(exact.and(exact)).isEqualTo(new ActionResult(10, true, 6, 4));
        assertThat(exact.and(other)).isEqualTo(new ActionResult(75, false, 43, 12));
        assertThat(other.and(exact)).isEqualTo(exact.and(other));
    }
}
