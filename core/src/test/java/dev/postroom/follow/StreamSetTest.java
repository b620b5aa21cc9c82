package dev.postroom.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R22")
class StreamSetTest {
    private final StreamBudget budget = new StreamBudget(100);
    private final StreamSet set = new StreamSet(budget);

    @Test
    void has_what_was_added_and_not_removed_also_the_id_zero() {
        Random random = new Random(5);
        Set<Long> expected = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            long id = random.nextInt(300) - 20L;
            if (random.nextBoolean()) {
                assertThat(set.add(id)).isEqualTo(expected.add(id));
            } else {
                assertThat(set.remove(id)).isEqualTo(expected.remove(id));
            }
        }
        assertThat(set.toSortedArray())
                .containsExactly(expected.stream().sorted().mapToLong(id -> id).toArray());
        assertThat(budget.used()).isEqualTo(expected.size());
    }

    @Test
    void shows_all_ids_in_pieces() {
        for (long id = 1; id <= 90; id++) {
            set.add(id);
        }
        Set<Long> shown = new HashSet<>();
        int slot = 0;
        do {
            slot = set.show(slot, 7, shown::add);
        } while (slot != 0);

        assertThat(shown).hasSize(90);
    }

    @Test
    void has_room_for_as_many_as_its_destination_remembers_and_for_those_that_are_here() {
        for (long id = 0; id < 100; id++) {
            set.add(id);
        }
        assertThat(set.hasRoomFor(7)).isTrue();
        assertThat(set.hasRoomFor(100)).isFalse();

        set.clear();
        assertThat(set.hasRoomFor(100)).isTrue();
        assertThat(set.contains(7)).isFalse();
    }
}
