package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.DeliveryFacts;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RoutingText;
import dev.postroom.operations.Stats;
import dev.postroom.operations.StreamKey;
import dev.postroom.spi.LaneStore.NodeReport;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What operators see: lists, details with why a message has not been sent, and the outbox at a glance. */
@Tag("R54")
public abstract class ListingContract extends StoreContract {

    @Test
    @Tag("I9")
    void lists_come_newest_first_page_by_page() {
        List<Published> seven = publish(IntStream.range(0, 7)
                .mapToObj(i -> Message.to("orders").key("k" + i))
                .toArray(Message[]::new));
        MessagePage page = operator().list(MessageFilter.ALL, 1, 3);
        assertThat(page.items())
                .extracting(MessageItem::id)
                .containsExactly(
                        seven.get(3).id(), seven.get(2).id(), seven.get(1).id());
        assertThat(page.total()).isEqualTo(7);
        assertThat(page.totalIsExact()).isTrue();
        assertThat(operator().list(MessageFilter.ALL, 2, 3).items()).hasSize(1);
        assertThat(operator().list(MessageFilter.ALL, 3, 3).items()).isEmpty();
    }

    @Test
    void every_status_is_found_by_its_filter_and_named_on_the_item() {
        everyStatus();
        for (MessageStatus status : List.of(
                MessageStatus.PENDING,
                MessageStatus.SCHEDULED,
                MessageStatus.BLOCKED,
                MessageStatus.DEAD,
                MessageStatus.PROCESSED,
                MessageStatus.SKIPPED)) {
            assertThat(list(filter -> filter.status(status)))
                    .as(status.label())
                    .isNotEmpty()
                    .allSatisfy(item -> {
                        assertThat(item.status()).isEqualTo(status);
                        assertThat(
                                        "head".equals(item.type())
                                                ? "dead"
                                                : item.stream().topic())
                                .isEqualTo(status.label());
                    });
        }
        assertThat(list(filter -> filter.status(MessageStatus.FAILED)))
                .extracting(item -> item.stream().topic())
                .containsExactly("scheduled");
        assertThat(operator().list(MessageFilter.ALL, 0, 100).items())
                .extracting(item -> item.stream().topic())
                .containsExactlyInAnyOrder("pending", "scheduled", "scheduled", "blocked", "blocked", "dead");
    }

    @Test
    @Tag("R8")
    void filters_narrow_by_tenant_topic_key_type_reason_and_attempts() {
        TestRelay relay = relay("r");
        Published one = publish(Message.to("orders").tenant("a").key("k").type("T"));
        Published two = publish(Message.to("Orders").tenant("b").key("K").type("t"));
        relay.bury(read(one));
        assertThat(only(filter -> filter.tenant("a"))).isEqualTo(one.id());
        assertThat(only(filter -> filter.tenant("b"))).isEqualTo(two.id());
        assertThat(only(filter -> filter.topic("orders"))).isEqualTo(one.id());
        assertThat(only(filter -> filter.topic("orders").key("k"))).isEqualTo(one.id());
        assertThat(only(filter -> filter.key("K"))).isEqualTo(two.id());
        assertThat(only(filter -> filter.type("T"))).isEqualTo(one.id());
        assertThat(only(filter -> filter.reason(FailureReason.HANDLER_EXCEPTION)))
                .isEqualTo(one.id());
        assertThat(only(filter -> filter.minAttempts(1))).isEqualTo(one.id());
        assertThat(only(filter -> filter.hasError(true))).isEqualTo(one.id());
        assertThat(only(filter -> filter.hasError(false))).isEqualTo(two.id());
        assertThat(list(filter -> filter.tenant("a").topic("Orders"))).isEmpty();
        assertThat(list(filter -> filter.tenant("c"))).isEmpty();
    }

    @Test
    void filters_narrow_by_time() {
        Published old = publish(Message.to("orders"));
        Published fresh = publish(Message.to("orders"));
        execute("UPDATE postroom_message SET created_at = created_at - interval '2' hour WHERE seq = ?", old.seq());
        Instant hourAgo = now().minus(Duration.ofHours(1));
        assertThat(only(filter -> filter.createdBefore(hourAgo))).isEqualTo(old.id());
        assertThat(only(filter -> filter.createdAfter(hourAgo))).isEqualTo(fresh.id());
        assertThat(only(filter -> filter.staleFor(Duration.ofHours(1)))).isEqualTo(old.id());
        assertThat(list(filter -> filter.staleFor(Duration.ofHours(3)))).isEmpty();
    }

    @Test
    void text_is_found_whatever_its_case_and_never_as_a_pattern() {
        TestRelay relay = relay("r");
        Published found = publish(Message.to("orders.created").key("key-100%_x").type("OrderCreated"));
        publish(Message.to("bills").key("key-100abx").type("Bill"));
        relay.bury(read(found));
        for (String text : List.of(
                "ORDERS",
                "rders.Cr",
                "100%",
                "0%_X",
                "ordercreated",
                "IT BROKE",
                found.id().toString().substring(0, 23).toUpperCase(java.util.Locale.ROOT))) {
            assertThat(list(filter -> filter.text(text).topic("orders.created")))
                    .as(text)
                    .hasSize(1);
        }
        assertThat(only(filter -> filter.text("100%_"))).isEqualTo(found.id());
        assertThat(list(filter -> filter.text("' OR 1=1 --"))).isEmpty();
        assertThat(list(filter -> filter.text("\\"))).isEmpty();
    }

    @Test
    @Tag("R10")
    void a_payload_is_cut_off_at_the_size_asked_for() {
        Published published = publish(Message.to("orders").text("text/plain", "0123456789"));
        MessageDetail detail = operator().find(published.id(), 4).orElseThrow();
        assertThat(detail.payload()).isEqualTo(new byte[] {'0', '1', '2', '3'});
        assertThat(detail.payloadBytes()).isEqualTo(10);
        assertThat(operator().find(UUID.randomUUID())).isEmpty();
    }

    @Test
    void a_detail_says_what_keeps_the_message() {
        TestRelay relay = relay("r");
        publish(Message.to("orders").key("k"), Message.to("orders").key("k"));
        List<StoredMessage> two = reader().readAll();
        relay.bury(two.get(0));
        relay.lanes()
                .report(new NodeReport(
                        "r", "host", "1", "{}", RoutingText.NONE, Duration.ofSeconds(10), Duration.ZERO));
        operator().pause(Pause.Target.topic("orders"), "stop");
        operator().pause(Pause.Target.topic("unrelated"), "stop");

        DeliveryFacts facts = Objects.requireNonNull(
                operator().find(two.get(1).key().id()).orElseThrow().facts());
        assertThat(Objects.requireNonNull(facts.heldBy()).id())
                .isEqualTo(two.get(0).key().id());
        assertThat(facts.heldBy().status()).isEqualTo(MessageStatus.DEAD);
        assertThat(facts.heldBy().error()).isEqualTo("it broke");
        assertThat(facts.pauses()).extracting(Pause::target).containsExactly(Pause.Target.topic("orders"));
        assertThat(facts.laneOwner()).isEqualTo("r");
        assertThat(facts.laneExpired()).isFalse();
        assertThat(facts.liveRelays()).isEqualTo(1);
        assertThat(facts.due()).isNull();
        assertThat(Duration.between(facts.now(), now()).abs()).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void a_detail_of_broken_headers_says_so() {
        UUID id = publish(Message.to("orders")).id();
        execute("UPDATE postroom_message SET headers = '" + store.brokenHeaders("[1]") + "'");
        MessageDetail detail = operator().find(id).orElseThrow();
        assertThat(detail.headers()).isEmpty();
        assertThat(Objects.requireNonNull(detail.facts()).defect()).contains("headers");
        assertThat(detail.whyNotSent()).isNotEmpty();
    }

    @Test
    @Tag("R50")
    void the_outbox_at_a_glance() {
        Stats empty = operator().stats();
        assertThat(empty.backlog()).isZero();
        assertThat(empty.oldestAgeSeconds()).isZero();
        assertThat(empty.nextDue()).isNull();

        everyStatus();
        execute("UPDATE postroom_message SET created_at = created_at - interval '1' hour WHERE topic = 'pending'");
        Stats stats = operator().stats();
        assertThat(stats.backlog()).isEqualTo(4);
        assertThat(stats.backlogIsExact()).isTrue();
        assertThat(stats.dead()).isEqualTo(2);
        assertThat(stats.scheduled()).isEqualTo(2);
        assertThat(stats.failedPending()).isEqualTo(1);
        assertThat(stats.oldestAgeSeconds()).isBetween(3_600.0, 3_900.0);
        assertThat(stats.nextDue()).isNotNull();
        assertThat(stats.latestDue()).isAfterOrEqualTo(stats.nextDue());
    }

    @Test
    @Tag("R28")
    void blocked_streams_are_named_by_their_first_holder() {
        TestRelay relay = relay("r");
        publish(IntStream.range(0, 3)
                .mapToObj(i -> Message.to("orders").tenant("t").key("k"))
                .toArray(Message[]::new));
        publish(Message.to("orders"));
        List<StoredMessage> rows = reader().readAll();
        relay.bury(rows.get(0));
        relay.fail(rows.get(1), Duration.ofHours(1));
        relay.bury(rows.get(3));
        List<BlockedStream> blocked = operator().blockedStreams(10);
        assertThat(blocked).hasSize(1);
        assertThat(blocked.get(0).stream()).isEqualTo(new StreamKey("t", "k"));
        assertThat(blocked.get(0).headTopic()).isEqualTo("orders");
        assertThat(blocked.get(0).headId()).isEqualTo(rows.get(0).key().id());
        assertThat(blocked.get(0).headStatus()).isEqualTo(MessageStatus.DEAD);
        assertThat(blocked.get(0).holders()).isEqualTo(2);
        assertThat(blocked.get(0).error()).isEqualTo("it broke");
    }

    @Test
    @Tag("R22")
    void a_stream_that_spans_topics_is_one_blocked_stream() {
        TestRelay relay = relay("r");
        publish(
                Message.to("orders.placed").key("k"),
                Message.to("orders.paid").key("k"),
                Message.to("orders.paid").tenant("t").key("k"));
        List<StoredMessage> rows = reader().readAll();
        relay.bury(rows.get(0));
        relay.bury(rows.get(1));
        Published behind = publish(Message.to("orders.cancelled").key("k"));
        assertThat(operator().blockedStreams(10)).singleElement().satisfies(blocked -> {
            assertThat(blocked.stream()).isEqualTo(new StreamKey("", "k"));
            assertThat(blocked.headTopic()).isEqualTo("orders.placed");
            assertThat(blocked.holders()).isEqualTo(2);
        });
        assertThat(only(filter -> filter.status(MessageStatus.BLOCKED))).isEqualTo(behind.id());
        assertThat(operator().find(behind.id()).orElseThrow().whyNotSent())
                .anySatisfy(sentence -> assertThat(sentence)
                        .startsWith(
                                "Blocked behind message " + rows.get(0).key().id())
                        .contains("orders.placed"));
    }

    @Test
    @Tag("R22")
    void a_detail_names_the_earlier_message_of_another_topic_that_it_waits_for() {
        Published placed = publish(Message.to("orders.placed").key("k"));
        Published cancelled = publish(Message.to("orders.cancelled").key("k"));
        assertThat(operator().find(cancelled.id()).orElseThrow().whyNotSent())
                .anySatisfy(sentence -> assertThat(sentence)
                        .startsWith("Waits behind message " + placed.id())
                        .contains("orders.placed"));
        assertThat(operator().find(placed.id()).orElseThrow().whyNotSent())
                .noneSatisfy(sentence -> assertThat(sentence).contains("behind message"));
    }

    @Test
    void lanes_and_their_owners_are_listed() {
        store.idleRelay("r").acquire(List.of(5));
        List<LaneItem> lanes = operator().lanes();
        assertThat(lanes).hasSize(64);
        assertThat(lanes.get(5).owner()).isEqualTo("r");
        assertThat(lanes.get(5).leaseUntil()).isAfter(now().minus(Duration.ofMinutes(5)));
        assertThat(lanes.get(6).owner()).isNull();
        assertThat(lanes.get(6).leaseUntil()).isNull();
    }

    /** One message or two of each status, with its label as the topic. */
    private void everyStatus() {
        TestRelay relay = relay("r");
        publish(
                Message.to("pending"),
                Message.to("scheduled").deliverAfter(Duration.ofHours(1)),
                Message.to("scheduled").type("failed"),
                Message.to("dead"),
                Message.to("processed"));
        Published skipped = publish(Message.to("skipped"));
        for (StoredMessage row : reader().readAll()) {
            switch (row.stream().topic()) {
                case "scheduled" -> relay.fail(row, Duration.ofHours(2));
                case "dead" -> relay.bury(row);
                case "processed" -> relay.succeed(row);
                default -> {}
            }
        }
        operator().change(dev.postroom.operations.Change.SKIP, List.of(skipped.id()), "test");
        // A stream blocked by a dead head, told apart by its type.
        Published head = publish(Message.to("blocked").key("k"));
        publish(Message.to("blocked").key("k"));
        relay.bury(read(head));
        execute("UPDATE postroom_message SET type = 'head' WHERE seq = ?", head.seq());
    }

    private List<MessageItem> list(UnaryOperator<MessageFilter.Builder> conditions) {
        return operator()
                .list(conditions.apply(MessageFilter.builder()).build(), 0, 100)
                .items();
    }

    private UUID only(UnaryOperator<MessageFilter.Builder> conditions) {
        List<MessageItem> items = list(conditions);
        assertThat(items).hasSize(1);
        return items.get(0).id();
    }
}
