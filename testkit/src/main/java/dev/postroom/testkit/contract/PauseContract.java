package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Operators pause and resume everything, a destination or a topic. */
@Tag("R36")
public abstract class PauseContract extends StoreContract {

    @Test
    void a_pause_is_listed_until_it_is_resumed() {
        for (Pause.Target target :
                List.of(Pause.Target.EVERYTHING, Pause.Target.destination("kafka"), Pause.Target.topic("orders"))) {
            operator().pause(target, "maintenance");
            assertThat(operator().pauses()).singleElement().satisfies(pause -> {
                assertThat(pause.target()).isEqualTo(target);
                assertThat(pause.by()).isEqualTo("operator");
                assertThat(pause.reason()).isEqualTo("maintenance");
                assertThat(Duration.between(pause.since(), now()).abs()).isLessThan(Duration.ofMinutes(5));
            });
            assertThat(store.plainReader().pauses().paused())
                    .extracting(Pause::target)
                    .containsExactly(target);
            assertThat(operator().resume(target, "done")).isTrue();
            assertThat(operator().pauses()).isEmpty();
            assertThat(operator().resume(target, "done")).isFalse();
        }
    }

    @Test
    @Tag("R26")
    void a_resume_of_a_destination_is_told_to_relays_whether_it_was_paused_or_not() {
        store.idleRelay("r").lanes().destinations(List.of("kafka", "rabbit"));
        assertThat(resumed()).isEmpty();
        operator().resume(Pause.Target.topic("kafka"), "x");
        assertThat(resumed()).isEmpty();

        operator().resume(Pause.Target.destination("kafka"), "x");
        Map<String, Instant> first = resumed();
        assertThat(first).containsOnlyKeys("kafka");
        assertThat(Duration.between(first.get("kafka"), now()).abs()).isLessThan(Duration.ofMinutes(5));

        operator().resume(Pause.Target.EVERYTHING, "x");
        assertThat(resumed()).containsOnlyKeys("kafka", "rabbit");
        assertThat(resumed().get("kafka")).isAfter(first.get("kafka"));
    }

    private Map<String, Instant> resumed() {
        return store.plainReader().pauses().resumed();
    }

    @Test
    void pauses_stand_beside_each_other() {
        operator().pause(Pause.Target.destination("a"), "x");
        operator().pause(Pause.Target.topic("a"), "x");
        operator().pause(Pause.Target.topic("A"), "x");
        operator().pause(Pause.Target.EVERYTHING, "x");
        operator().resume(Pause.Target.topic("a"), "x");
        assertThat(operator().pauses())
                .extracting(Pause::target)
                .containsExactlyInAnyOrder(
                        Pause.Target.destination("a"), Pause.Target.topic("A"), Pause.Target.EVERYTHING);
    }

    @Test
    void pausing_again_replaces_the_reason() {
        operator().pause(Pause.Target.EVERYTHING, "first");
        operator().pause(Pause.Target.EVERYTHING, "second");
        assertThat(operator().pauses()).extracting(Pause::reason).containsExactly("second");
    }

    @Test
    @Tag("R54")
    void pauses_are_audited() {
        operator().pause(Pause.Target.destination("kafka"), "first");
        operator().resume(Pause.Target.destination("kafka"), "second");
        assertThat(operator().audit(0, 10)).extracting(AuditEntry::action).containsExactly("resume", "pause");
        assertThat(operator().audit(0, 10)).extracting(AuditEntry::newState).contains("paused", "running");
        assertThat(operator().audit(0, 10)).extracting(AuditEntry::target).allMatch(target -> target.contains("kafka"));
    }

    @Test
    @Tag("R54")
    void destinations_are_listed_with_their_pauses() {
        store.idleRelay("r").lanes().destinations(List.of("kafka", "rabbit"));
        operator().pause(Pause.Target.destination("rabbit"), "x");
        operator().pause(Pause.Target.destination("unused"), "x");
        assertThat(operator().destinations())
                .filteredOn(item -> item.pause() == null)
                .extracting(DestinationItem::name)
                .containsExactly("kafka");
        assertThat(operator().destinations())
                .filteredOn(item -> item.pause() != null)
                .extracting(DestinationItem::name)
                .containsExactlyInAnyOrder("rabbit", "unused");
    }
}
