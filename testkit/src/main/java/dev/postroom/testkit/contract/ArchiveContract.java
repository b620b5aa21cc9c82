package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The archive: purged in bounded steps, and sent again on request. */
@Tag("R34")
public abstract class ArchiveContract extends StoreContract {
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration MONTH = Duration.ofDays(30);

    @Test
    void only_what_is_older_is_purged() {
        archived(10);
        execute("UPDATE postroom_archive SET archived_at = archived_at - interval '8' day WHERE topic = 'even'");
        assertThat(maintenance().countArchive(WEEK, 100)).isEqualTo(5);
        assertThat(purgeArchive(100)).isGreaterThanOrEqualTo(5);
        assertThat(value("SELECT count(*) FROM postroom_archive WHERE topic = 'even'"))
                .isEqualTo("0");
        assertThat(value("SELECT count(*) FROM postroom_archive WHERE topic = 'odd'"))
                .isEqualTo("5");
        assertThat(maintenance().purgeArchive(WEEK, 100)).isZero();
    }

    @Test
    @Tag("I9")
    void purging_goes_in_bounded_steps() {
        archived(20);
        execute("UPDATE postroom_archive SET archived_at = archived_at - interval '8' day");
        assertThat(maintenance().countArchive(WEEK, 5)).isEqualTo(5);
        assertThat(maintenance().purgeArchive(WEEK, 6)).isEqualTo(6);
        assertThat(count("postroom_archive")).isEqualTo(14);
        assertThat(purgeArchive(6)).isEqualTo(14);
        assertThat(count("postroom_archive")).isZero();
    }

    @Test
    void preparing_the_archive_again_and_from_many_nodes_is_harmless() throws Exception {
        archived(4);
        try (Background background = new Background()) {
            List<java.util.concurrent.Future<Boolean>> nodes = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                nodes.add(background.run(() -> {
                    maintenance().prepareArchive();
                    return true;
                }));
            }
            for (java.util.concurrent.Future<Boolean> node : nodes) {
                assertThat(node.get(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
            }
        }
        maintenance().prepareArchive();
        assertThat(count("postroom_archive")).isEqualTo(4);
        archived(4);
        assertThat(count("postroom_archive")).isEqualTo(8);
        assertThat(purgeArchive(100)).isZero();
    }

    @Test
    void attempts_audit_and_inbox_are_purged_by_age() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"), Message.to("orders"));
        reader().readAll().forEach(relay::bury);
        operator().pause(dev.postroom.operations.Pause.Target.EVERYTHING, "x");
        execute("INSERT INTO postroom_inbox (consumer, message_id) VALUES ('c', 'old')");
        execute("INSERT INTO postroom_inbox (consumer, message_id) VALUES ('c', 'new')");
        assertThat(maintenance().purgeAttempts(WEEK, 10)).isZero();
        assertThat(maintenance().purgeAudit(MONTH, 10)).isZero();
        assertThat(maintenance().purgeInbox(WEEK, 10)).isZero();

        execute("UPDATE postroom_attempt SET at = at - interval '8' day");
        execute("UPDATE postroom_audit SET at = at - interval '31' day");
        execute("UPDATE postroom_inbox SET handled_at = handled_at - interval '8' day WHERE message_id = 'old'");
        assertThat(maintenance().purgeAttempts(WEEK, 1)).isEqualTo(1);
        assertThat(maintenance().purgeAttempts(WEEK, 10)).isEqualTo(1);
        assertThat(maintenance().purgeAudit(MONTH, 10)).isEqualTo(1);
        assertThat(maintenance().purgeInbox(WEEK, 10)).isEqualTo(1);
        assertThat(value("SELECT message_id FROM postroom_inbox")).isEqualTo("new");
        assertThat(count("postroom_attempt")).isZero();
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    @Tag("R54")
    void an_operators_purge_is_counted_and_audited() {
        archived(6);
        execute("UPDATE postroom_archive SET archived_at = archived_at - interval '8' day");
        assertThat(operator().dryRunPurge(WEEK)).isEqualTo(new ActionResult(6, 0));
        assertThat(operator().purge(WEEK, "space", progress -> {}).changed()).isEqualTo(6);
        assertThat(operator().audit(0, 10)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("purge");
            assertThat(entry.changed()).isEqualTo(6);
        });
    }

    @Test
    @Tag("R37")
    void replayed_messages_come_again_with_their_ids_in_order_for_one_destination() {
        List<Published> published = archived(10);
        ReplayRequest request = replay("even", null);
        assertThat(operator().dryRunReplay(request)).isEqualTo(new ActionResult(5, 0));
        assertThat(count("postroom_message")).isZero();
        assertThat(operator().replay(request, 100, "again", progress -> {})).isEqualTo(new ActionResult(5, 5));

        List<StoredMessage> rows = everything();
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.progress().onlyDestination()).isEqualTo("audit");
            assertThat(row.progress().attempts()).isZero();
            assertThat(row.progress().completed()).isZero();
            assertThat(row.content().headers()).containsEntry("h", "v");
        });
        assertThat(ids(rows))
                .containsExactly(idsOf(published.stream()
                        .filter(row -> published.indexOf(row) % 2 == 0)
                        .toList()));
        assertThat(count("postroom_archive")).isEqualTo(10);

        TestRelay relay = relay("again");
        rows.forEach(relay::succeed);
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_archive")).isEqualTo(10);
        assertThat(operator().audit(0, 10)).extracting(entry -> entry.action()).contains("replay");
    }

    @Test
    @Tag("R37")
    void a_message_that_is_live_already_is_not_replayed_twice() {
        archived(4);
        operator().replay(replay("even", null), 100, "once", progress -> {});
        assertThat(operator()
                        .replay(replay("even", null), 100, "twice", progress -> {})
                        .changed())
                .isZero();
        assertThat(count("postroom_message")).isEqualTo(2);
    }

    @Test
    @Tag("R37")
    void a_replay_by_key_and_limit_sends_only_those() {
        archived(20);
        ReplayRequest key = new ReplayRequest(null, "even", "k0", null, null, "audit", null);
        assertThat(operator().dryRunReplay(key).matched()).isEqualTo(5);
        assertThat(operator().replay(key, 3, "some", progress -> {}).changed()).isEqualTo(3);
        assertThat(everything())
                .hasSize(3)
                .allMatch(row -> "k0".equals(row.stream().key()));
    }

    @Test
    @Tag("R37")
    void a_replay_begins_with_what_was_processed_at_its_from_and_ends_before_its_to() {
        List<Published> published = archived(6);
        Instant from = Instant.parse("2026-03-29T01:00:00.000001Z");
        Instant to = from.plus(Duration.ofMinutes(10));
        processedAt(published.get(0), from.minusNanos(1_000));
        processedAt(published.get(2), from);
        processedAt(published.get(4), to);
        ReplayRequest request = new ReplayRequest(null, "even", null, from, to, "audit", null);
        assertThat(operator().dryRunReplay(request).matched()).isEqualTo(1);
        operator().replay(request, 100, "that hour", progress -> {});
        assertThat(ids(everything())).containsExactly(published.get(2).id());
    }

    private void processedAt(Published message, Instant instant) {
        Object time = store.kind() == DatabaseUnderTest.Kind.MARIADB
                ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                : instant.atOffset(ZoneOffset.UTC);
        execute("UPDATE postroom_archive SET archived_at = ? WHERE seq = ?", time, message.seq());
    }

    @Test
    @Tag("R38")
    void a_rate_spreads_a_replay_over_time() {
        archived(10);
        operator().replay(replay("even", 1), 100, "slowly", progress -> {});
        assertThat(everything().size()).isLessThan(5);
        execute("UPDATE postroom_message SET available_at = available_at - interval '1' hour");
        List<StoredMessage> all = everything();
        assertThat(all).hasSize(5);
        for (int i = 1; i < 5; i++) {
            assertThat(Duration.between(all.get(i - 1).due(), all.get(i).due())).isEqualTo(Duration.ofSeconds(1));
        }
    }

    private List<Published> archived(int messages) {
        TestRelay relay = relay("r" + java.util.UUID.randomUUID());
        execute("UPDATE postroom_lane SET lease_until = lease_until - interval '1' hour");
        List<Published> published = publish(IntStream.range(0, messages)
                .mapToObj(i ->
                        Message.to(i % 2 == 0 ? "even" : "odd").key("k" + i % 4).header("h", "v"))
                .toArray(Message[]::new));
        relay.succeed(reader().readAll().toArray(StoredMessage[]::new));
        assertThat(count("postroom_message")).isZero();
        return published;
    }

    /** All that is sendable now, however it is read, by seq. */
    private List<StoredMessage> everything() {
        List<StoredMessage> rows = new ArrayList<>(reader().readAll());
        rows.addAll(new DueReader(store).readAll());
        assertThat(rows).noneMatch(row -> row.progress().state() == RowState.DEAD);
        rows.sort(java.util.Comparator.comparingLong(row -> row.key().seq()));
        return rows;
    }

    private long purgeArchive(int limit) {
        long all = 0;
        for (int step = 0; step < 100; step++) {
            long removed = maintenance().purgeArchive(WEEK, limit);
            if (removed == 0) {
                return all;
            }
            all += removed;
        }
        throw new AssertionError("purging does not end");
    }

    private Maintenance maintenance() {
        return store.store().maintenance();
    }

    private static ReplayRequest replay(String topic, @Nullable Integer rate) {
        return new ReplayRequest(null, topic, null, null, null, "audit", rate);
    }
}
