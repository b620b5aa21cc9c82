package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class MemoryExitTest {
    private final List<Integer> exits = new ArrayList<>();
    private final MemoryExit memory = new MemoryExit(exits::add);

    @Test
    void thread_that_ends_for_want_of_memory_ends_the_process() {
        memory.uncaughtException(Thread.currentThread(), new OutOfMemoryError("Java heap space"));
        assertThat(exits).containsExactly(MemoryExit.CODE);
    }

    @Test
    void relay_that_failed_for_want_of_memory_ends_the_process() {
        memory.crashed(new IllegalStateException("the reader failed", new OutOfMemoryError("a")), Duration.ZERO);
        assertThat(exits).containsExactly(MemoryExit.CODE);
    }

    @Test
    void other_failures_do_not() {
        memory.crashed(new AssertionError("a bug"), Duration.ZERO);
        memory.uncaughtException(Thread.currentThread(), new IllegalStateException("a bug"));
        assertThat(exits).isEmpty();
    }
}
