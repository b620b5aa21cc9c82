package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.PageRequest;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is read when somebody tells of a commit. Nothing depends on it: what no hint names comes with the next page of all lanes. */
@Tag("R64")
class HintsTest {
    private final HandFedEngine engine = new HandFedEngine().owning(List.of(1, 2, 3));

    private PageRequest hinted(int lane, long seq) {
        engine.answerReads();
        assertThat(engine.wants(Command.Follow.class)).as("before the hint").isFalse();
        engine.tell(new Event.Woken(lane, seq));
        return engine.take(Command.Follow.class).request();
    }

    @Test
    void lane_that_a_hint_names_is_read_at_once_and_alone() {
        engine.read(row(1, 1, "t", null), row(2, 2, "t", null), row(3, 3, "t", null));
        PageRequest page = hinted(2, 5);
        assertThat(page.ranges()).extracting(PageRequest.Range::lane).containsExactly(2);
        assertThat(page.due()).isEqualTo(PageRequest.Due.NONE);
        assertThat(page.sweep().spans()).isEmpty();
    }

    @Test
    @Tag("R22")
    void page_of_one_lane_asks_for_what_is_late_in_all() {
        engine.read(row(1, 1, "t", null), row(2, 2, "t", null), row(3, 3, "t", null));
        assertThat(hinted(2, 5).reaches())
                .extracting(PageRequest.Reach::lane)
                .as("its mark is that of all lanes")
                .containsExactly(1, 2, 3);
    }

    @Test
    void hint_without_a_row_reads_all_lanes() {
        assertThat(hinted(0, 0).ranges()).extracting(PageRequest.Range::lane).containsExactly(1, 2, 3);
    }

    @Test
    void hint_of_a_lane_that_is_somebody_elses_reads_nothing() {
        engine.answerReads();
        engine.tell(new Event.Woken(9, 5));
        assertThat(engine.wants(Command.Follow.class)).isFalse();
    }

    @Test
    void hints_that_come_while_a_page_is_read_are_read_together_after_it() {
        engine.await(Command.Follow.class);
        engine.tell(List.of(new Event.Woken(3, 7), new Event.Woken(1, 8)));
        engine.tell(engine.pageWith());
        assertThat(engine.take(Command.Follow.class).request().ranges())
                .extracting(PageRequest.Range::lane)
                .containsExactly(1, 3);
    }

    @Test
    void lanes_that_no_hint_names_are_read_in_time_however_many_hints_come() {
        engine.answerReads();
        StoredMessage other = row(3, 1, "t", null);
        engine.put(other);
        for (int i = 2; i < 202; i++) {
            engine.tick(Duration.ofMillis(5));
            engine.tell(new Event.Woken(1, i));
            engine.answerReads();
        }
        engine.reserve();
        engine.assertSent("a:1");
    }

    @Test
    @Tag("I10")
    void hint_whose_page_could_not_be_read_is_not_forgotten() {
        engine.put(row(1, 1, "t", null));
        hinted(1, 1);
        engine.tell(new Event.ReaderFailed("the connection is gone"));
        engine.tick(Duration.ofMillis(150));
        engine.answerReads();
        engine.reserve();
        engine.assertSent("a:1");
    }
}
