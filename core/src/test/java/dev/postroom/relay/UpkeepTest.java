package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.operations.Maintenance;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R34")
class UpkeepTest {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration YEAR = Duration.ofDays(365);

    /** Notes what it is told to do; each purge finds two steps of work, unless it is to fail. */
    private static class Notes implements Maintenance {
        final List<String> calls = new CopyOnWriteArrayList<>();
        final CountDownLatch done = new CountDownLatch(1);
        final BlockingQueue<RelayFailure> failures = new LinkedBlockingQueue<>();
        String broken = "";

        private long note(String what, @Nullable Duration olderThan, int limit) {
            String call = what + (olderThan == null ? "" : " " + olderThan.toDays()) + " " + limit;
            calls.add(call);
            if (what.equals(broken)) {
                throw new DatabaseException("no", new SQLException("no"));
            }
            long before = calls.stream().filter(call::equals).count();
            if (what.equals("audit") && before == 3) {
                done.countDown();
            }
            return before == 1 ? limit : before == 2 ? 1 : 0;
        }

        @Override
        public void prepareArchive() {
            calls.add("prepare");
            if (broken.equals("prepare")) {
                throw new DatabaseException("no", new SQLException("no"));
            }
        }

        @Override
        public long countArchive(Duration olderThan, int limit) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long purgeArchive(Duration olderThan, int limit) {
            return note("archive", olderThan, limit);
        }

        @Override
        public long purgeDedup(int limit) {
            return note("keys", null, limit);
        }

        @Override
        public long purgeInbox(Duration olderThan, int limit) {
            return note("inbox", olderThan, limit);
        }

        @Override
        public long purgeAttempts(Duration olderThan, int limit) {
            return note("attempts", olderThan, limit);
        }

        @Override
        public long purgeNodes(Duration silentFor, int limit) {
            return note("nodes", silentFor, limit);
        }

        @Override
        public long purgeRoutings(Duration outOfForce, int kept) {
            return note("routings", outOfForce, kept);
        }

        @Override
        public long purgeAudit(Duration olderThan, int limit) {
            return note("audit", olderThan, limit);
        }

        List<String> afterOnePass(Retention retention) throws InterruptedException {
            try (Upkeep upkeep = new Upkeep("shop", this, retention, failures::add)) {
                upkeep.start();
                assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
                upkeep.close();
                upkeep.awaitEnd();
            }
            return calls;
        }
    }

    private final Notes notes = new Notes();

    @Test
    void everything_that_is_old_is_forgotten_step_by_step_until_nothing_is_left() throws Exception {
        assertThat(notes.afterOnePass(new Retention(Duration.ofDays(3), MONTH, YEAR)))
                .containsExactly(
                        "prepare",
                        "archive 3 1000",
                        "archive 3 1000",
                        "archive 3 1000",
                        "keys 1000",
                        "keys 1000",
                        "keys 1000",
                        "attempts 3 1000",
                        "attempts 3 1000",
                        "attempts 3 1000",
                        "nodes 1 1000",
                        "nodes 1 1000",
                        "nodes 1 1000",
                        "routings 30 100",
                        "routings 30 100",
                        "routings 30 100",
                        "inbox 30 1000",
                        "inbox 30 1000",
                        "inbox 30 1000",
                        "audit 365 1000",
                        "audit 365 1000",
                        "audit 365 1000");
    }

    @Test
    void audit_cannot_be_kept_shorter_than_a_month() {
        assertThatThrownBy(() -> new Retention(WEEK, MONTH, Duration.ofDays(29)))
                .hasMessageContaining("at least 30 days")
                .hasMessageContaining("postroom.audit.retention");
    }

    @Test
    void what_an_earlier_configuration_kept_is_forgotten_also_when_nothing_is_kept() throws Exception {
        assertThat(notes.afterOnePass(new Retention(null, WEEK, YEAR)))
                .contains("archive 7 1000", "attempts 7 1000", "inbox 7 1000");
    }

    @Test
    @Tag("R60")
    void error_in_a_task_is_told_to_the_relay_and_the_thread_lives_on() throws Exception {
        Notes failing = new Notes() {
            @Override
            public void prepareArchive() {
                throw new AssertionError("a bug");
            }
        };
        try (Upkeep upkeep = new Upkeep("shop", failing, new Retention(WEEK, MONTH, YEAR), failing.failures::add)) {
            upkeep.start();
            assertThat(failing.failures.poll(30, TimeUnit.SECONDS)).hasMessageContaining("AssertionError: a bug");
            assertThat(upkeep.isAlive()).isTrue();
        }
    }

    @Test
    void task_that_fails_keeps_no_other_from_its_work() throws Exception {
        for (String task : List.of("prepare", "archive", "keys", "attempts", "nodes", "inbox")) {
            Notes failing = new Notes();
            failing.broken = task;
            assertThat(failing.afterOnePass(new Retention(WEEK, MONTH, YEAR)))
                    .as(task + " fails")
                    .contains(
                            "prepare",
                            "archive 7 1000",
                            "keys 1000",
                            "attempts 7 1000",
                            "nodes 1 1000",
                            "inbox 30 1000",
                            "audit 365 1000");
        }
    }
}
