package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("R60")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RelayLoopTest {
    private final SilentStore store = new SilentStore();
    private final RelayLog log = new RelayLog("shop", "f00d", Duration.ofMinutes(1));

    @AfterEach
    void let_go() {
        store.answer();
    }

    private RelayLoop loop() {
        return new RelayLoop(store.plan(), new RelayClock(InstantSource.system()), log, new Listeners(log, List.of()));
    }

    @Test
    @Tag("R30")
    void desk_that_does_not_answer_ends_the_engine() throws Exception {
        try (RelayLoop loop = loop()) {
            assertThatThrownBy(loop::run)
                    .isInstanceOf(RelayFailure.class)
                    .hasMessageContaining("has owed an answer for");
            assertThat(loop.isTurning()).isFalse();
            store.answer();
        }
    }

    @Test
    void engine_that_has_failed_does_not_turn_any_more() throws Exception {
        try (RelayLoop loop = loop()) {
            assertThat(loop.isTurning()).isTrue();
            loop.fail(new RelayFailure("a bug", null));
            assertThat(loop.isTurning()).isFalse();
            assertThatThrownBy(loop::run).hasMessage("a bug");
        }
    }

    @Test
    void engine_that_was_abandoned_does_not_turn_any_more() throws Exception {
        try (RelayLoop loop = loop()) {
            loop.abandon();
            loop.run();
            assertThat(loop.isTurning()).isFalse();
            store.answer();
        }
    }

    @Test
    void desks_that_have_begun_end_when_there_is_no_memory_for_another() {
        store.failing = new InternalError("unable to create native thread");
        assertThatThrownBy(this::loop).isSameAs(store.failing);
        store.awaitClosed(1);
    }

    @Test
    @Tag("R35")
    void closing_ends_all_three_desks() throws Exception {
        RelayLoop loop = loop();
        store.answer();
        loop.close();
        assertThat(loop.hasEndedWithin(Duration.ofMinutes(1))).isTrue();
        store.awaitClosed(3);
    }
}
