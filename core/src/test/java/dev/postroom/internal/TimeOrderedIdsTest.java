package dev.postroom.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {

    /** The example of RFC 9562, appendix A.6. */
    @Test
    void have_the_layout_of_the_standard() {
        assertThat(TimeOrderedIds.of(0x017F22E279B0L, 0xCC3L, 0x18C4DC0C0C07398FL))
                .isEqualTo(UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
    }

    @Test
    void are_in_the_order_of_their_milliseconds() {
        String earlier = TimeOrderedIds.of(1_700_000_000_000L, -1, -1).toString();
        String later = TimeOrderedIds.of(1_700_000_000_001L, 0, 0).toString();
        assertThat(earlier).isLessThan(later);
    }
}
