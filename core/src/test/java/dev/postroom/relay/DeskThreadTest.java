package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class DeskThreadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Mailbox mailbox = new Mailbox();
    private final BlockingQueue<RelayFailure> failures = new LinkedBlockingQueue<>();

    /** Answers as it is told, also when it is asked for the answer to a failure. */
    private static class Work implements DeskWork<Command.ForReader> {
        Supplier<Event> answer = () -> new Event.ReaderFailed("not used");
        Supplier<Event> failed = () -> new Event.ReaderFailed("refused");
        Runnable closing = () -> {};
        final CountDownLatch cancelled = new CountDownLatch(1);

        @Override
        public Event answer(Command.ForReader command) {
            return answer.get();
        }

        @Override
        public Event failed(String error) {
            return failed.get();
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    private final Work work = new Work();

    private Desk<Command.ForReader> desk() {
        return DeskThread.start("test-reader", work, mailbox, failures::add);
    }

    private static Desks desks(Desk<Command.ForReader> reader) {
        return new Desks(idle(), reader, idle());
    }

    private static <C extends Command> Desk<C> idle() {
        return new Desk<>() {
            @Override
            public void give(C command) {}

            @Override
            public void close() {}
        };
    }

    private static Event thrown(Throwable error) {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        throw (RuntimeException) error;
    }

    private @Nullable RelayFailure failure() throws InterruptedException {
        return failures.poll(30, TimeUnit.SECONDS);
    }

    @Test
    void what_the_database_refuses_is_an_answer() throws Exception {
        work.answer = () -> thrown(new DatabaseException("no", new SQLException("no")));
        try (Desk<Command.ForReader> desk = desk()) {
            desk.give(new Command.ReadPauses());
            assertThat(mailbox.collect(PATIENCE.toNanos())).containsExactly(new Event.ReaderFailed("refused"));
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void error_of_any_kind_ends_the_thread_and_is_told() throws Exception {
        for (Error error : new Error[] {
            new AssertionError("a bug"),
            new NoClassDefFoundError("a"),
            new OutOfMemoryError("b"),
            new StackOverflowError()
        }) {
            work.answer = () -> thrown(error);
            try (Desk<Command.ForReader> desk = desk()) {
                desk.give(new Command.ReadPauses());
                assertThat(failure())
                        .hasCause(error)
                        .hasMessageContaining("test-reader")
                        .hasMessageContaining(error.getClass().getSimpleName());
                assertThat(desk.hasEndedWithin(PATIENCE)).isTrue();
            }
        }
        assertThat(mailbox.collect(0)).isEmpty();
    }

    @Test
    void failing_to_say_what_failed_is_told_too() throws Exception {
        work.answer = () -> thrown(new IllegalStateException("first"));
        work.failed = () -> thrown(new IllegalStateException("second"));
        try (Desk<Command.ForReader> desk = desk()) {
            desk.give(new Command.ReadPauses());
            assertThat(failure()).hasMessageContaining("second");
        }
    }

    @Test
    void interrupt_is_told_like_a_failure() throws Exception {
        work.answer = () -> {
            Thread.currentThread().interrupt();
            return new Event.ReaderFailed("answered");
        };
        try (Desk<Command.ForReader> desk = desk()) {
            desk.give(new Command.ReadPauses());
            assertThat(failure()).hasMessageContaining("InterruptedException");
        }
    }

    @Test
    void failing_to_close_fails_nobody() throws Exception {
        work.closing = () -> thrown(new AssertionError("closing"));
        Desk<Command.ForReader> desk = desk();
        desk.close();
        assertThat(desk.hasEndedWithin(PATIENCE)).isTrue();
        assertThat(failures).isEmpty();
    }

    @Test
    void desk_that_owes_an_answer_for_too_long_fails_the_relay() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        work.answer = () -> {
            awaitQuietly(never);
            return new Event.ReaderFailed("late");
        };
        try (Desk<Command.ForReader> desk = desk()) {
            Desks desks = desks(desk);
            assertThat(desks.patienceNanos(Duration.ZERO)).isEqualTo(Long.MAX_VALUE);
            desk.give(new Command.ReadPauses());
            assertThat(desks.patienceNanos(PATIENCE)).isLessThan(PATIENCE.toNanos());
            assertThatThrownBy(() -> desks.patienceNanos(Duration.ZERO))
                    .isInstanceOf(RelayFailure.class)
                    .hasMessageContaining("test-reader has owed an answer");
            never.countDown();
            mailbox.collect(PATIENCE.toNanos());
            assertThat(desks.patienceNanos(Duration.ZERO)).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    @Tag("R35")
    void what_does_not_end_by_itself_is_cancelled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        work.answer = () -> {
            begun.countDown();
            awaitQuietly(work.cancelled);
            return new Event.ReaderFailed("cancelled");
        };
        Desk<Command.ForReader> desk = desk();
        desk.give(new Command.ReadPauses());
        awaitQuietly(begun); // a desk that is closed before does not begin
        Desks desks = desks(desk);
        desks.close();
        assertThat(desks.haveEndedWithin(Duration.ZERO)).isFalse();
        desks.awaitEnd(Duration.ofMillis(1));
        assertThat(desks.haveEndedWithin(PATIENCE)).isTrue();
        assertThat(work.cancelled.getCount()).isZero();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
