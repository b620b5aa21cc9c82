package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators change: each change fits some messages, raises their version, and is audited with it. */
@Tag("R54")
@Tag("I8")
public abstract class ChangesContract extends StoreContract {

    @Test
    @Tag("R27")
    void a_retried_dead_letter_is_due_now_with_fresh_counts() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders").key("k")));
        relay.bury(row);
        assertThat(operator().change(Change.RETRY, List.of(row.key().id()), "fixed"))
                .isEqualTo(new ActionResult(1, 1));

        assertThat(new DueReader(store).readAll()).singleElement().satisfies(retried -> {
            assertThat(retried.key()).isEqualTo(row.key());
            assertThat(retried.progress().state()).isEqualTo(RowState.WAITING);
            assertThat(retried.progress().attempts()).isZero();
            assertThat(retried.progress().crashes()).isZero();
            assertThat(retried.progress().version())
                    .isGreaterThan(row.progress().version() + 1);
        });
        assertThat(operator().list(filter(MessageStatus.DEAD), 0, 10).items()).isEmpty();
    }

    @Test
    void a_waiting_message_can_be_retried_now() {
        TestRelay relay = relay("r");
        StoredMessage row = read(publish(Message.to("orders")));
        relay.fail(row, Duration.ofDays(1));
        assertThat(new DueReader(store).readAll()).isEmpty();
        operator().change(Change.RETRY, List.of(row.key().id()), "now");
        assertThat(ids(new DueReader(store).readAll()))
                .containsExactly(row.key().id());
    }

    @Test
    void a_message_that_never_failed_is_not_retried() {
        Published published = publish(Message.to("orders"));
        assertThat(operator().change(Change.RETRY, List.of(published.id(), UUID.randomUUID()), "why not"))
                .isEqualTo(new ActionResult(0, 0));
        assertThat(read(published).progress().version()).isZero();
    }

    @Test
    @Tag("R27")
    void an_operator_can_make_a_dead_letter_of_what_is_not_dead() {
        TestRelay relay = relay("r");
        Published ready = publish(Message.to("orders"));
        Published delayed = publish(Message.to("orders").deliverAfter(Duration.ofHours(1)));
        Published dead = publish(Message.to("orders"));
        relay.bury(read(dead));
        ActionResult result =
                operator().change(Change.DEAD_LETTER, List.of(ready.id(), delayed.id(), dead.id()), "stop");
        assertThat(result).isEqualTo(new ActionResult(2, 2));
        assertThat(operator().list(filter(MessageStatus.DEAD), 0, 10).total()).isEqualTo(3);
        assertThat(operator().find(ready.id()).orElseThrow().item().reason()).isNotNull();
        assertThat(reader().readAll()).isEmpty();
    }

    @Test
    @Tag("R28")
    void a_skipped_message_is_archived_as_skipped_and_frees_its_stream() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        List<StoredMessage> two = reader().readAll();
        relay.bury(two.get(0));
        assertThat(operator().change(Change.SKIP, List.of(two.get(0).key().id()), "unwanted"))
                .isEqualTo(new ActionResult(1, 1));

        assertThat(operator().find(two.get(0).key().id()).orElseThrow().item().status())
                .isEqualTo(MessageStatus.SKIPPED);
        assertThat(reader().readAll())
                .singleElement()
                .satisfies(row -> assertThat(reader().isHeld(row)).isFalse());
        assertThat(count("postroom_archive")).isEqualTo(1);
    }

    @Test
    void only_dead_or_archived_messages_can_be_deleted() {
        TestRelay relay = relay("r");
        Published ready = publish(Message.to("orders"));
        Published dead = publish(Message.to("orders"));
        Published processed = publish(Message.to("orders"));
        relay.bury(read(dead));
        relay.fail(read(processed), Duration.ZERO);
        relay.succeed(new DueReader(store).readAll().get(0));
        assertThat(count("postroom_attempt")).isEqualTo(2);
        ActionResult result =
                operator().change(Change.DELETE, List.of(ready.id(), dead.id(), processed.id()), "privacy");
        assertThat(result.changed()).isEqualTo(2);
        assertThat(ids(reader().readAll())).containsExactly(ready.id());
        assertThat(operator().find(dead.id())).isEmpty();
        assertThat(operator().find(processed.id())).isEmpty();
        assertThat(count("postroom_archive")).isZero();
        assertThat(count("postroom_attempt"))
                .as("their errors, which may quote them")
                .isZero();
    }

    @Test
    @Tag("R28")
    void a_released_message_goes_out_of_order_and_holds_nobody() {
        TestRelay relay = relay("r");
        publish(
                Message.to("orders").key("k"),
                Message.to("orders").key("k"),
                Message.to("orders").key("k"));
        List<StoredMessage> three = reader().readAll();
        relay.bury(three.get(0));
        ActionResult result =
                operator().change(Change.RELEASE, List.of(three.get(2).key().id()), "free the third");
        assertThat(result.changed()).isEqualTo(1);
        assertThat(reader().port()
                        .fetch(List.of(three.get(1).key(), three.get(2).key()), ReferenceReader.BOUNDS))
                .extracting(row -> row.message().progress().released(), row -> row.heldAt() != 0)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(false, true),
                        org.assertj.core.groups.Tuple.tuple(true, false));
        Published keyless = publish(Message.to("orders"));
        assertThat(operator()
                        .change(Change.RELEASE, List.of(keyless.id()), "no key")
                        .changed())
                .isZero();
    }

    @Test
    @Tag("R28")
    void a_whole_stream_can_be_released() {
        TestRelay relay = relay("r");
        publish(
                Message.to("orders").key("k"),
                Message.to("orders").key("k"),
                Message.to("orders").key("k"));
        publish(Message.to("orders").key("other"));
        List<StoredMessage> rows = reader().readAll();
        relay.bury(rows.get(0));
        relay.fail(rows.get(1), Duration.ofHours(1));
        relay.bury(rows.get(3));
        assertThat(operator().blockedStreams(10)).hasSize(2);

        assertThat(operator().releaseStream(ReleaseRequest.of("", "k"), "go on").changed())
                .isEqualTo(2);
        assertThat(reader().readAll())
                .singleElement()
                .satisfies(row -> assertThat(reader().isHeld(row)).isFalse());
        assertThat(operator().blockedStreams(10))
                .singleElement()
                .satisfies(blocked -> assertThat(blocked.stream().key()).isEqualTo("other"));
    }

    @Test
    @Tag("R22")
    @Tag("R28")
    void a_stream_is_released_for_all_its_topics_or_for_one() {
        TestRelay relay = relay("r");
        publish(
                Message.to("orders.placed").key("k"),
                Message.to("orders.paid").key("k"),
                Message.to("orders.cancelled").key("k"));
        List<StoredMessage> rows = reader().readAll();
        relay.bury(rows.get(0));
        relay.fail(rows.get(1), Duration.ofHours(1));
        assertThat(blocked()).containsExactly(rows.get(2).key().id());

        ReleaseRequest stream = ReleaseRequest.of("", "k");
        assertThat(operator()
                        .releaseStream(stream.topic("orders.paid"), "go on")
                        .changed())
                .isEqualTo(1);
        assertThat(blocked()).containsExactly(rows.get(2).key().id());
        assertThat(operator().releaseStream(stream, "go on").changed()).isEqualTo(1);
        assertThat(blocked()).isEmpty();
        assertThat(operator().blockedStreams(10)).isEmpty();
    }

    private List<UUID> blocked() {
        return operator().list(filter(MessageStatus.BLOCKED), 0, 10).items().stream()
                .map(MessageItem::id)
                .toList();
    }

    @Test
    void many_are_changed_by_filter_up_to_the_limit_oldest_first() {
        TestRelay relay = relay("r");
        publish(IntStream.range(0, 30)
                .mapToObj(i -> Message.to(i % 2 == 0 ? "even" : "odd").key("k"))
                .toArray(Message[]::new));
        List<StoredMessage> rows = reader().readAll();
        rows.forEach(relay::bury);
        MessageFilter even =
                MessageFilter.builder().status(MessageStatus.DEAD).topic("even").build();
        assertThat(operator().change(Change.RETRY, Bulk.of(even).dryRun(true), null))
                .isEqualTo(new ActionResult(15, 0));
        assertThat(new DueReader(store).readAll()).isEmpty();
        assertThat(operator().change(Change.RETRY, Bulk.of(even).limit(10), "again"))
                .isEqualTo(new ActionResult(15, 10));
        assertThat(new DueReader(store).readAll())
                .extracting(row -> row.key().seq())
                .containsExactlyInAnyOrderElementsOf(rows.stream()
                        .filter(row -> row.stream().topic().equals("even"))
                        .limit(10)
                        .map(row -> row.key().seq())
                        .toList());
        assertThat(operator().change(Change.RETRY, Bulk.of(even), "the rest")).isEqualTo(new ActionResult(5, 5));
    }

    @Test
    void more_than_a_thousand_are_changed_in_steps() {
        publish(IntStream.range(0, 1_100)
                .mapToObj(i -> Message.to("orders").key("k" + i))
                .toArray(Message[]::new));
        MessageFilter topic = MessageFilter.builder().topic("orders").build();
        assertThat(operator().change(Change.SKIP, Bulk.of(topic).limit(5_000), "drop"))
                .isEqualTo(new ActionResult(1_100, 1_100));
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_archive")).isEqualTo(1_100);
    }

    @Test
    void every_change_is_audited() {
        TestRelay relay = relay("r");
        Published published = publish(Message.to("orders").key("k"));
        relay.bury(read(published));
        operator().change(Change.RETRY, List.of(published.id()), "because \uD83D\uDE80");
        operator().change(Change.SKIP, List.of(published.id()), "enough");
        List<AuditEntry> audit = operator().audit(0, 10);
        assertThat(audit).extracting(AuditEntry::action).containsExactly("skip", "retry");
        assertThat(audit.get(1).actor()).isEqualTo("operator");
        assertThat(audit.get(1).reason()).isEqualTo("because \uD83D\uDE80");
        assertThat(audit.get(1).target()).contains(published.id().toString());
        assertThat(audit.get(1).matched()).isEqualTo(1);
        assertThat(audit.get(1).changed()).isEqualTo(1);
        assertThat(audit.get(1).failed()).isZero();
        assertThat(audit).extracting(AuditEntry::oldState).containsExactly("1 waiting", "1 dead");
        assertThat(audit).extracting(AuditEntry::newState).containsExactly("1 skipped", "1 waiting");
        assertThat(audit.get(1).databaseUser()).isNotBlank().isNotEqualTo("operator");
        assertThat(audit.get(0).at()).isAfterOrEqualTo(audit.get(1).at());
        assertThat(operator().audit(1, 1)).extracting(AuditEntry::action).containsExactly("retry");
    }

    @Test
    @Tag("R25")
    void failures_alike_are_grouped() {
        TestRelay relay = relay("r");
        publish(IntStream.range(0, 7)
                .mapToObj(i -> Message.to(i < 5 ? "orders" : "bills"))
                .toArray(Message[]::new));
        List<StoredMessage> rows = reader().readAll();
        int n = 0;
        for (StoredMessage row : rows) {
            relay.settle(
                    List.of(),
                    List.of(relay.failure(
                            row,
                            n++ % 2 == 0 ? Duration.ofHours(1) : null,
                            true,
                            new Cause(FailureReason.TIMEOUT, "no answer after " + 1_000 * n + " ms", null))),
                    true);
        }
        assertThat(operator().failures(10)).hasSize(2).first().satisfies(group -> {
            assertThat(group.topic()).isEqualTo("orders");
            assertThat(group.count()).isEqualTo(5);
            assertThat(group.reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(group.dead()).isEqualTo(2);
            assertThat(group.fingerprint()).doesNotContain("000");
            assertThat(group.sampleError()).contains("000 ms");
        });
        assertThat(operator().failures(1)).hasSize(1);
    }

    @Test
    @Tag("R25")
    void a_failure_is_as_old_as_its_last_attempt_and_not_as_its_message() {
        TestRelay relay = relay("r");
        publish(Message.to("orders"));
        execute("UPDATE postroom_message SET created_at = created_at - interval '1' day");
        relay.fail(reader().readAll().get(0), Duration.ofHours(1));
        assertThat(operator().failures(10))
                .singleElement()
                .satisfies(group -> assertThat(
                                Duration.between(group.latest(), now()).abs())
                        .isLessThan(Duration.ofHours(1)));
    }

    private static MessageFilter filter(MessageStatus status) {
        return MessageFilter.builder().status(status).build();
    }
}
