package dev.postroom.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R2")
class DomainEventsTest {
    private final DomainEvents events = new DomainEvents();
    private final UUID session = UUID.randomUUID();

    @Test
    void what_a_session_has_written_it_does_not_write_again_until_a_rollback() {
        events.add("a");
        assertThat(events.unwritten(session)).containsExactly("a");
        events.written(session);
        events.add("b");
        assertThat(events.unwritten(session)).containsExactly("b");
        events.rolledBack();
        assertThat(events.unwritten(session)).containsExactly("a", "b");
    }

    @Test
    void a_commit_forgets_what_was_written_and_nothing_else() {
        events.add("a");
        events.written(session);
        events.add("b");
        events.committed();
        assertThat(events.pending()).containsExactly("b");
    }

    @Test
    void what_a_session_wrote_that_vanished_before_its_end_is_written_by_the_next() {
        events.add("a");
        events.written(session);
        assertThat(events.unwritten(UUID.randomUUID())).containsExactly("a");
    }

    @Test
    void merged_events_come_first_and_are_forgotten_where_they_came_from() {
        DomainEvents detached = new DomainEvents();
        detached.add("a");
        events.add("b");
        events.merge(detached);
        events.merge(detached);
        events.merge(events);
        assertThat(events.unwritten(session)).containsExactly("a", "b");
        events.written(session);
        events.committed();
        assertThat(detached.pending()).isEmpty();
        assertThat(events.pending()).isEmpty();
    }
}
