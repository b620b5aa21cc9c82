package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.engine.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class MailboxTest {
    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final Mailbox mailbox = new Mailbox();

    @Test
    void gives_everything_at_once_in_order() throws InterruptedException {
        mailbox.post(new Event.Tick());
        mailbox.hint(3, 7);
        mailbox.post(new Event.Stop());
        assertThat(mailbox.collect(LONG)).containsExactly(new Event.Tick(), new Event.Woken(3, 7), new Event.Stop());
        assertThat(mailbox.collect(0)).isEmpty();
    }

    @Test
    @Tag("R12")
    void a_wake_while_nobody_waits_is_not_lost() throws InterruptedException {
        mailbox.collect(0);
        mailbox.hint(0, 0);
        assertThat(mailbox.collect(LONG)).containsExactly(new Event.Woken(0, 0));
    }

    @Test
    @Tag("R12")
    void ends_the_waiting_of_its_collector() throws InterruptedException {
        CountDownLatch waiting = new CountDownLatch(1);
        List<Event> got = new ArrayList<>();
        Thread collector = new Thread(() -> {
            try {
                waiting.countDown();
                got.addAll(mailbox.collect(LONG));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        collector.start();
        waiting.await();
        mailbox.hint(1, 1);
        collector.join();
        assertThat(got).containsExactly(new Event.Woken(1, 1));
    }

    @Test
    void hints_without_end_become_one_that_names_no_row() throws InterruptedException {
        for (int i = 1; i <= 100_000; i++) {
            mailbox.hint(i % 64, i);
        }
        List<Event> collected = mailbox.collect(0);
        assertThat(collected).hasSize(Mailbox.MOST_HINTS + 1);
        assertThat(collected.get(Mailbox.MOST_HINTS)).isEqualTo(new Event.Woken(0, 0));
        mailbox.hint(1, 1);
        assertThat(mailbox.collect(0)).containsExactly(new Event.Woken(1, 1));
    }

    @Test
    void a_nudge_ends_the_waiting_and_is_no_event() throws InterruptedException {
        mailbox.nudge();
        assertThat(mailbox.collect(LONG)).isEmpty();
    }

    @Test
    void what_the_collector_posts_itself_comes_with_the_rest() throws InterruptedException {
        mailbox.belongToThisThread();
        mailbox.post(new Event.Tick());
        mailbox.hint(1, 1);
        assertThat(mailbox.collect(LONG)).containsExactly(new Event.Tick(), new Event.Woken(1, 1));
    }
}
