package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.ActionResult;
import dev.postroom.operations.AuditEntry;
import dev.postroom.operations.BlockedStream;
import dev.postroom.operations.Bulk;
import dev.postroom.operations.Change;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.FailureGroup;
import dev.postroom.operations.Gauges;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.MessagePage;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.NotYoursException;
import dev.postroom.operations.Operations;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.operations.RoutingText;
import dev.postroom.operations.Sight;
import dev.postroom.operations.Stats;
import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.StreamKey;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.TableNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators may rely on, whatever the database; a subclass gives one. */
@Tag("R54")
abstract class JdbcOperationsContract {
    static final Duration HOUR = Duration.ofHours(1);

    abstract DataSource dataSource();

    abstract OperationsSql sql();

    final Rows rows = new Rows(dataSource(), sql());
    final Operations operations = operations(TableNames.DEFAULT);

    final Operations operations(TableNames names) {
        SqlNames sqlNames = new SqlNames(names);
        return Operations.as(
                "alice",
                new JdbcOperations(dataSource(), sqlNames, sql()),
                new JdbcMaintenance(dataSource(), sqlNames, sql()));
    }

    /** Whose lists look at so many messages. */
    final Operations searching(int messages) {
        Transactions transactions = new Transactions(dataSource(), new SqlNames(TableNames.DEFAULT), sql());
        return Operations.as("alice", new JdbcOperations(transactions, messages), maintenance());
    }

    final Maintenance maintenance() {
        return new JdbcMaintenance(dataSource(), new SqlNames(TableNames.DEFAULT), sql());
    }

    @BeforeEach
    void clear() {
        rows.clear();
    }

    @Nested
    class Lists {
        @Test
        void come_newest_first_in_pages_with_an_exact_total() {
            List<UUID> written = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                written.add(0, rows.ready("orders", "k" + i));
            }

            MessagePage second = operations.list(MessageFilter.ALL, 1, 3);

            assertThat(second.items()).extracting(MessageItem::id).containsExactlyElementsOf(written.subList(3, 6));
            assertThat(second.total()).isEqualTo(7);
            assertThat(second.totalIsExact()).isTrue();
            assertThat(operations.list(MessageFilter.ALL, 2, 3).items()).hasSize(1);
            assertThat(operations.list(MessageFilter.ALL, 9, 3).items()).isEmpty();
        }

        @Test
        void above_10000_give_an_estimate_of_the_total() {
            rows.readyMany("orders", 10_500);

            MessagePage page = operations.list(MessageFilter.ALL, 199, 50);

            assertThat(page.items()).hasSize(50);
            assertThat(page.totalIsExact()).isFalse();
            assertThat(page.total()).isBetween(10_001L, 40_000L);
            assertThat(operations.stats().backlogIsExact()).isFalse();
        }

        @Test
        void show_every_part_of_an_item() {
            UUID id = rows.waiting("orders", "42", 3, HOUR);
            rows.update("UPDATE postroom_message SET type = 'created', tenant = 't1' WHERE id = ?", id);

            MessageItem item = operations.list(MessageFilter.ALL, 0, 10).items().get(0);

            assertThat(item.id()).isEqualTo(id);
            assertThat(item.seq()).isEqualTo(rows.live(id).seq());
            assertThat(item.stream()).isEqualTo(new Stream("t1", "orders", "42"));
            assertThat(item.type()).isEqualTo("created");
            assertThat(item.status()).isEqualTo(MessageStatus.SCHEDULED);
            assertThat(item.attempts()).isEqualTo(3);
            assertThat(item.createdAt()).isBetween(rows.now().minusSeconds(60), rows.now());
            assertThat(item.availableAt()).isEqualTo(rows.live(id).retryAt());
            assertThat(item.processedAt()).isNull();
            assertThat(item.reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(item.error()).isEqualTo("no answer within 5 s");
        }

        @Test
        void cut_long_errors() {
            rows.dead("orders", null, "x".repeat(3_000));

            assertThat(operations.list(MessageFilter.ALL, 0, 10).items().get(0).error())
                    .isEqualTo("x".repeat(200));
        }

        @ParameterizedTest
        @EnumSource(MessageStatus.class)
        void by_status_find_exactly_the_messages_of_that_status(MessageStatus status) {
            UUID dead = rows.dead("orders", "a");
            UUID blocked = rows.ready("orders", "a");
            UUID released = rows.ready("orders", "a");
            rows.update("UPDATE postroom_message SET released = TRUE WHERE id = ?", released);
            UUID otherTopic = rows.ready("invoices", "a");
            UUID otherTenant = rows.ready("t1", "orders", "a");
            UUID failing = rows.waiting("orders", "b", 2, HOUR);
            UUID behindFailing = rows.ready("orders", "b");
            UUID failedAndDue = rows.waiting("orders", "c", 1, HOUR.negated());
            UUID delayed = rows.delayed("orders", "d", HOUR);
            UUID behindDelayed = rows.ready("orders", "d");
            UUID delayedAndDue = rows.delayed("orders", null, HOUR.negated());
            UUID deadUnderSkip = rows.dead("orders", "e");
            rows.update("UPDATE postroom_message SET holds = FALSE WHERE id = ?", deadUnderSkip);
            UUID behindSkip = rows.ready("orders", "e");
            UUID processed = rows.processed(1, "orders", "a", HOUR);
            UUID skipped = rows.skipped(2, "orders", "a", HOUR);

            List<UUID> expected = switch (status) {
                case PROCESSED -> List.of(processed);
                case SKIPPED -> List.of(skipped);
                case DEAD -> List.of(dead, deadUnderSkip);
                case IN_FLIGHT -> List.of();
                case SCHEDULED -> List.of(failing, delayed);
                case BLOCKED -> List.of(blocked, otherTopic, behindFailing);
                case PENDING -> List.of(released, otherTenant, failedAndDue, behindDelayed, delayedAndDue, behindSkip);
                case FAILED -> List.of(failing, failedAndDue);
            };
            MessagePage page = operations.list(filter().status(status).build(), 0, 50);

            assertThat(page.items()).extracting(MessageItem::id).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(page.total()).isEqualTo(expected.size());
            if (status != MessageStatus.FAILED) {
                assertThat(page.items()).allMatch(item -> item.status() == status);
            }
        }

        @Test
        void tell_when_archived_messages_were_processed() {
            rows.processed(1, "orders", "a", HOUR);

            MessageItem item = operations
                    .list(filter().status(MessageStatus.PROCESSED).build(), 0, 10)
                    .items()
                    .get(0);

            assertThat(item.processedAt())
                    .isBetween(
                            rows.now().minus(HOUR).minusSeconds(60), rows.now().minus(HOUR));
        }

        @Test
        @Tag("R8")
        void are_filtered_by_each_condition() {
            UUID wanted = rows.waiting("orders", "Key_1", 3, HOUR);
            rows.update("UPDATE postroom_message SET tenant = 't1', type = 'created' WHERE id = ?", wanted);
            UUID other = rows.ready("invoices", "KeyX1");
            rows.update(
                    "UPDATE postroom_message SET created_at = ? WHERE id = ?",
                    rows.now().minus(HOUR),
                    wanted);
            Instant between = rows.now().minus(HOUR.dividedBy(2));

            assertThat(found(filter().tenant("t1"))).containsExactly(wanted);
            assertThat(found(filter().tenant(""))).containsExactly(other);
            assertThat(found(filter().topic("orders"))).containsExactly(wanted);
            assertThat(found(filter().key("Key_1"))).containsExactly(wanted);
            assertThat(found(filter().key("key_1"))).isEmpty();
            assertThat(found(filter().tenant("t1").topic("orders").key("Key_1")))
                    .containsExactly(wanted);
            assertThat(found(filter().tenant("t2").topic("orders").key("Key_1")))
                    .isEmpty();
            assertThat(found(filter().type("created"))).containsExactly(wanted);
            assertThat(found(filter().reason(FailureReason.TIMEOUT))).containsExactly(wanted);
            assertThat(found(filter().minAttempts(3))).containsExactly(wanted);
            assertThat(found(filter().minAttempts(4))).isEmpty();
            assertThat(found(filter().hasError(true))).containsExactly(wanted);
            assertThat(found(filter().hasError(false))).containsExactly(other);
            assertThat(found(filter().createdAfter(between))).containsExactly(other);
            assertThat(found(filter().createdBefore(between))).containsExactly(wanted);
            assertThat(found(filter().staleFor(Duration.ofMinutes(30)))).containsExactly(wanted);
        }

        @Test
        void find_text_in_id_topic_key_type_and_error_in_upper_and_lower_case() {
            UUID wanted = rows.dead("orders.Übung", "Key_1", "No Route 100% sure");
            rows.update("UPDATE postroom_message SET type = 'OrderCreated' WHERE id = ?", wanted);
            rows.ready("invoices", "KeyX1");

            assertThat(found(filter().text(wanted.toString().substring(3, 20).toUpperCase(Locale.ROOT))))
                    .containsExactly(wanted);
            assertThat(found(filter().text("RS.üb"))).containsExactly(wanted);
            assertThat(found(filter().text("key_"))).containsExactly(wanted);
            assertThat(found(filter().text("ordercre"))).containsExactly(wanted);
            assertThat(found(filter().text("100%"))).containsExactly(wanted);
            assertThat(found(filter().text("10%"))).isEmpty();
            assertThat(found(filter().text("'; DROP TABLE postroom_message; --")))
                    .isEmpty();
            assertThat(operations
                            .list(
                                    filter().status(MessageStatus.PROCESSED)
                                            .text("key")
                                            .build(),
                                    0,
                                    10)
                            .items())
                    .isEmpty();
        }

        private List<UUID> found(MessageFilter.Builder filter) {
            return operations.list(filter.build(), 0, 50).items().stream()
                    .map(MessageItem::id)
                    .toList();
        }
    }

    /** With lists that look at 200 messages in place of 10,000. */
    @Nested
    @Tag("I9")
    class Lists_of_a_large_backlog {
        private static final int SEARCHED = 200;

        private final Operations operations = searching(SEARCHED);

        @Test
        void find_a_rare_match_among_the_newest_and_say_that_older_ones_were_not_searched() {
            rows.ready("rare", "old");
            rows.readyMany("orders", SEARCHED);
            UUID found = rows.ready("rare", "new");

            MessagePage page = operations.list(filter().topic("rare").build(), 0, 10);

            assertThat(page.items()).extracting(MessageItem::id).containsExactly(found);
            assertThat(page.total()).isEqualTo(1);
            assertThat(page.totalIsExact()).isFalse();
            assertThat(page.complete()).isFalse();
        }

        @Test
        void are_complete_when_all_that_can_match_was_looked_at() {
            UUID first = rows.ready("rare", "old");
            rows.readyMany("orders", SEARCHED - 1);

            MessagePage page = operations.list(filter().topic("rare").build(), 0, 10);

            assertThat(page.items()).extracting(MessageItem::id).containsExactly(first);
            assertThat(page.totalIsExact()).isTrue();
            assertThat(page.complete()).isTrue();
            assertThat(operations.list(filter().topic("none").build(), 0, 10))
                    .isEqualTo(new MessagePage(List.of(), 0, 10, 0, true, true));
        }

        @Test
        void count_what_is_found_on_several_pages() {
            rows.readyMany("orders", 25);

            MessagePage second = operations.list(filter().topic("orders").build(), 1, 10);
            MessagePage behind = operations.list(filter().topic("orders").build(), 5, 10);

            assertThat(second.items()).hasSize(10);
            assertThat(second.total()).isEqualTo(25);
            assertThat(second.totalIsExact()).isTrue();
            assertThat(behind.items()).isEmpty();
            assertThat(behind.total()).isEqualTo(25);
        }

        @Test
        void miss_nothing_on_a_full_page() {
            rows.readyMany("orders", 3 * SEARCHED);

            for (MessageFilter filter : List.of(
                    MessageFilter.ALL,
                    filter().topic("orders").build(),
                    filter().status(MessageStatus.PENDING).build())) {
                MessagePage page = operations.list(filter, 1, 50);

                assertThat(page.items()).hasSize(50);
                assertThat(page.complete()).isTrue();
                assertThat(page.totalIsExact()).isFalse();
                assertThat(page.total()).isGreaterThanOrEqualTo(100);
            }
        }

        @Test
        void end_where_they_stopped_looking() {
            rows.readyMany("orders", 2 * SEARCHED);

            MessagePage behind = operations.list(MessageFilter.ALL, 4, 50);

            assertThat(behind.items()).isEmpty();
            assertThat(behind.complete()).isFalse();
        }

        @Test
        void find_few_of_a_status_behind_many_of_another() {
            UUID dead = rows.dead("orders", "a");
            UUID delayed = rows.delayed("orders", "b", HOUR);
            UUID failing = rows.waiting("orders", "c", 2, HOUR);
            rows.readyMany("orders", 2 * SEARCHED);

            assertThat(complete(filter().status(MessageStatus.DEAD))).containsExactly(dead);
            assertThat(complete(filter().status(MessageStatus.SCHEDULED))).containsExactly(failing, delayed);
            assertThat(complete(filter().status(MessageStatus.FAILED))).containsExactly(failing);
            assertThat(complete(filter().status(MessageStatus.DEAD).text("no price")))
                    .containsExactly(dead);
            assertThat(complete(filter().status(MessageStatus.IN_FLIGHT))).isEmpty();
        }

        @Test
        void of_one_status_leave_no_gap_however_uneven_lanes_are() {
            UUID rare = rows.ready("rare", "k");
            for (int i = 0; i < 20; i++) {
                rows.readyMany("orders", 10);
                rows.readyMany("orders", "same", 6);
            }
            rows.update("UPDATE postroom_message SET dead_at = created_at, reason = 'POISON'");
            List<UUID> newestFirst =
                    operations(TableNames.DEFAULT)
                            .list(filter().status(MessageStatus.DEAD).build(), 0, 500)
                            .items()
                            .stream()
                            .map(MessageItem::id)
                            .toList();

            List<UUID> found = new ArrayList<>();
            MessagePage page;
            do {
                page = operations.list(filter().status(MessageStatus.DEAD).build(), found.size() / 50, 50);
                page.items().forEach(item -> found.add(item.id()));
            } while (page.items().size() == 50);

            assertThat(newestFirst).hasSize(321);
            assertThat(found).isEqualTo(newestFirst.subList(0, found.size()));
            assertThat(found.size()).isBetween(SEARCHED / 4, SEARCHED);
            assertThat(page.complete()).isFalse();
            assertThat(operations
                            .list(
                                    filter().status(MessageStatus.DEAD)
                                            .topic("rare")
                                            .build(),
                                    0,
                                    10)
                            .items())
                    .extracting(MessageItem::id)
                    .doesNotContain(rare);
        }

        @Test
        void look_twice_as_far_at_one_lane() {
            UUID rare = rows.ready("orders", "same");
            rows.update("UPDATE postroom_message SET type = 'rare' WHERE id = ?", rare);
            rows.readyMany("orders", "same", 2 * SEARCHED - 1);

            assertThat(complete(filter().status(MessageStatus.PENDING).type("rare")))
                    .containsExactly(rare);
            rows.ready("orders", "same");
            MessagePage page = operations.list(
                    filter().status(MessageStatus.PENDING).type("rare").build(), 0, 10);
            assertThat(page.items()).isEmpty();
            assertThat(page.complete()).isFalse();
        }

        @Test
        @Tag("R28")
        void find_all_of_one_blocked_stream() {
            rows.dead("orders", "42");
            List<UUID> blocked = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                blocked.add(0, rows.ready("orders", "42"));
            }
            rows.readyMany("orders", 5 * SEARCHED);

            assertThat(complete(filter().status(MessageStatus.BLOCKED))).containsExactlyElementsOf(blocked);
            assertThat(complete(filter().status(MessageStatus.BLOCKED).topic("none")))
                    .isEmpty();
        }

        @Test
        void find_a_stream_wherever_it_is() {
            UUID first = rows.ready("t1", "orders", "42");
            UUID second = rows.delayed("orders", "42", HOUR);
            rows.update("UPDATE postroom_message SET tenant = 't1' WHERE id = ?", second);
            rows.readyMany("orders", 5 * SEARCHED);

            assertThat(complete(filter().tenant("t1").topic("orders").key("42")))
                    .containsExactly(second, first);
            assertThat(complete(filter().tenant("t1").key("42"))).containsExactly(second, first);
            assertThat(complete(filter().tenant("t1").topic("orders").key("42").status(MessageStatus.SCHEDULED)))
                    .containsExactly(second);
            assertThat(complete(filter().tenant("t1").topic("orders").key("none")))
                    .isEmpty();
        }

        /** What holds a stream is older than all that wait behind it, hence at the far end of a list. */
        @Test
        @Tag("R28")
        void find_what_holds_a_stream_behind_all_that_wait_for_it() {
            UUID dead = rows.dead("orders", "42");
            UUID failing = rows.waiting("orders", "42", 2, HOUR);
            rows.readyMany("orders", "42", 5 * SEARCHED);
            MessageFilter.Builder stream = filter().tenant("").topic("orders").key("42");

            assertThat(complete(stream.status(MessageStatus.DEAD))).containsExactly(dead);
            assertThat(complete(stream.status(MessageStatus.FAILED))).containsExactly(failing);
            assertThat(complete(stream.status(MessageStatus.SCHEDULED))).containsExactly(failing);
        }

        @Test
        void find_a_stream_without_tenant_by_topic_and_key() {
            UUID old = rows.ready("orders", "42");
            rows.ready("t1", "orders", "42");
            rows.readyMany("orders", SEARCHED);
            UUID ofTenant = rows.ready("t1", "orders", "42");
            UUID latest = rows.ready("orders", "42");

            MessagePage page =
                    operations.list(filter().topic("orders").key("42").build(), 0, 10);

            assertThat(page.items()).extracting(MessageItem::id).containsExactly(latest, ofTenant, old);
            assertThat(page.complete()).isFalse();
        }

        @Test
        void find_what_has_waited_longest() {
            UUID first = rows.ready("orders", "1");
            UUID second = rows.ready("orders", "2");
            rows.update("UPDATE postroom_message SET created_at = ?", rows.now().minus(HOUR));
            rows.readyMany("orders", SEARCHED + 10);

            for (MessageFilter filter : List.of(
                    filter().staleFor(HOUR.dividedBy(2)).build(),
                    filter().createdBefore(rows.now().minus(HOUR.dividedBy(2))).build(),
                    filter().staleFor(HOUR.dividedBy(2))
                            .status(MessageStatus.PENDING)
                            .build())) {
                MessagePage page = operations.list(filter, 0, 10);

                assertThat(page.items()).extracting(MessageItem::id).containsExactly(second, first);
                assertThat(page.total()).isEqualTo(2);
                assertThat(page.complete()).isFalse();
            }
            assertThat(operations
                            .list(filter().staleFor(Duration.ZERO).build(), 0, 500)
                            .items())
                    .hasSize(SEARCHED + 12)
                    .doesNotHaveDuplicates();
        }

        @Test
        void find_a_message_by_its_id_wherever_it_is() {
            UUID old = rows.ready("orders", "42");
            rows.readyMany("orders", SEARCHED);
            UUID latest = rows.ready("orders", old.toString());
            rows.processedMany("orders", SEARCHED);
            UUID archived = rows.processed(-1, "orders", "42", HOUR);

            assertThat(operations
                            .list(
                                    filter().text(old.toString().toUpperCase(Locale.ROOT))
                                            .build(),
                                    0,
                                    10)
                            .items())
                    .extracting(MessageItem::id)
                    .containsExactly(latest, old);
            assertThat(operations
                            .list(
                                    filter().text(latest.toString())
                                            .status(MessageStatus.PENDING)
                                            .build(),
                                    0,
                                    10)
                            .items())
                    .extracting(MessageItem::id)
                    .containsExactly(latest);
            assertThat(operations
                            .list(
                                    filter().text(archived.toString())
                                            .status(MessageStatus.PROCESSED)
                                            .build(),
                                    0,
                                    10)
                            .items())
                    .extracting(MessageItem::id)
                    .containsExactly(archived);
        }

        @Test
        void search_the_newest_of_the_archive() {
            rows.skipped(-1, "orders", "old", HOUR);
            rows.processedMany("orders", SEARCHED);
            UUID found = rows.skipped(SEARCHED, "orders", "new", HOUR);

            MessagePage page =
                    operations.list(filter().status(MessageStatus.SKIPPED).build(), 0, 10);

            assertThat(page.items()).extracting(MessageItem::id).containsExactly(found);
            assertThat(page.complete()).isFalse();
            assertThat(page.totalIsExact()).isFalse();
            assertThat(operations
                            .list(filter().status(MessageStatus.PROCESSED).build(), 0, 10)
                            .complete())
                    .isTrue();
        }

        @Test
        @Tag("R31")
        void do_not_bound_what_is_changed() {
            UUID first = rows.dead("rare", "old");
            rows.readyMany("orders", 2 * SEARCHED);
            rows.update("UPDATE postroom_message SET dead_at = created_at, reason = 'POISON' WHERE topic = 'orders'");
            Bulk rare = Bulk.of(filter().topic("rare").build());

            assertThat(operations.change(Change.RETRY, rare, "fixed")).isEqualTo(new ActionResult(1, 1));
            assertThat(rows.live(first).state()).isEqualTo(2);
            assertThat(operations.change(Change.SKIP, rare, "not needed")).isEqualTo(new ActionResult(1, 1));
            assertThat(operations.change(
                            Change.DELETE,
                            Bulk.of(filter().status(MessageStatus.DEAD).build()),
                            "not needed"))
                    .isEqualTo(new ActionResult(2 * SEARCHED, 2 * SEARCHED));
        }

        private List<UUID> complete(MessageFilter.Builder filter) {
            MessagePage page = operations.list(filter.build(), 0, 50);
            assertThat(page.complete()).isTrue();
            assertThat(page.totalIsExact()).isTrue();
            assertThat(page.total()).isEqualTo(page.items().size());
            return page.items().stream().map(MessageItem::id).toList();
        }
    }

    @Nested
    class One_message {
        @Test
        void is_shown_whole() {
            UUID id = rows.waiting("orders", "42", 2, HOUR);
            rows.update(
                    "UPDATE postroom_message SET headers = '{\"a\": \"b\"}', payload = ?, source = '/shop', completed = 5,"
                            + " crashes = 1 WHERE id = ?",
                    "0123456789".getBytes(StandardCharsets.UTF_8),
                    id);
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (0, 'audit')");
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (1, 'billing')");
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (2, 'search')");
            rows.attempt(id, 1, Duration.ofMinutes(2), "first", "billing");
            rows.attempt(id, 2, Duration.ofMinutes(1), "second", "billing");

            MessageDetail detail = operations.find(id, 4).orElseThrow();

            assertThat(detail.item().id()).isEqualTo(id);
            assertThat(detail.headers()).containsOnlyKeys("a").containsEntry("a", "b");
            assertThat(detail.payload()).asString(StandardCharsets.UTF_8).isEqualTo("0123");
            assertThat(detail.payloadBytes()).isEqualTo(10);
            assertThat(detail.contentType()).isEqualTo("application/json");
            assertThat(detail.source()).isEqualTo("/shop");
            assertThat(detail.crashes()).isEqualTo(1);
            assertThat(detail.error()).isEqualTo("no answer within 5 s");
            assertThat(detail.completedDestinations()).containsExactly("audit", "search");
            assertThat(detail.attempts())
                    .extracting(MessageDetail.Attempt::error)
                    .containsExactly("second", "first");
            assertThat(detail.attempts().get(0).node()).isEqualTo("relay-1");
            assertThat(detail.lane()).isBetween(0, 63);
        }

        @Test
        void that_waits_says_until_when_and_after_what() {
            UUID id = rows.waiting("orders", "42", 2, HOUR);
            rows.attempt(id, 2, Duration.ofMinutes(5), "connection reset", "billing");
            rows.node("relay-1", Duration.ZERO, "{}");
            own(id, "relay-1", HOUR);

            assertThat(why(id))
                    .singleElement()
                    .asString()
                    .startsWith("Waits for its retry at ")
                    .contains("attempt 2 failed at destination 'billing'")
                    .contains("connection reset");
        }

        @Test
        @Tag("R28")
        void that_is_blocked_names_the_first_holder_of_its_stream() {
            rows.dead("orders", "other");
            UUID head = rows.dead("orders", "42", "no price");
            rows.waiting("orders", "42", 1, HOUR);
            UUID id = rows.ready("orders", "42");

            assertThat(why(id))
                    .anySatisfy(sentence -> assertThat(sentence)
                            .startsWith("Blocked behind message " + head)
                            .contains("dead: no price"));
        }

        @Test
        @Tag("R36")
        void that_is_paused_says_by_whom_and_only_what_concerns_it() {
            UUID id = rows.ready("orders", "42");
            operations.pause(Pause.Target.topic("orders"), "wrong prices");
            operations.pause(Pause.Target.topic("invoices"), "other");

            assertThat(why(id))
                    .filteredOn(sentence -> sentence.contains("paused"))
                    .singleElement()
                    .asString()
                    .startsWith("Topic 'orders' is paused")
                    .endsWith("by alice: wrong prices");
        }

        @Test
        void whose_headers_cannot_be_read_says_so_and_is_shown_without() {
            UUID id = rows.ready("orders", "42");
            // H2 checks what is updated, too, but not whether it is JSON.
            String broken = sql() instanceof H2OperationsSql ? "{a}" : "[1]";
            rows.update("UPDATE postroom_message SET headers = '" + broken + "' WHERE id = ?", id);

            MessageDetail detail = operations.find(id).orElseThrow();

            assertThat(detail.headers()).isEmpty();
            assertThat(detail.whyNotSent().get(0))
                    .startsWith("It cannot be read: ")
                    .contains("JSON object");
        }

        @Test
        void tells_when_no_relay_runs_or_its_lane_is_nobodys() {
            UUID id = rows.ready("orders", "42");
            rows.node("gone", HOUR, "{}");

            assertThat(why(id)).containsExactly("No relay has reported in the last 30 s: start one");

            rows.node("relay-1", Duration.ZERO, "{}");
            assertThat(why(id)).singleElement().asString().contains("belongs to no relay yet");

            own(id, "gone", HOUR.negated());
            assertThat(why(id)).singleElement().asString().contains("belongs to gone, whose lease has expired");

            own(id, "relay-1", HOUR);
            assertThat(why(id)).singleElement().asString().startsWith("Nothing holds it");
        }

        @Test
        void is_found_in_the_archive_too() {
            UUID id = rows.skipped(3, "orders", "42", HOUR);

            MessageDetail detail = operations.find(id).orElseThrow();

            assertThat(detail.item().status()).isEqualTo(MessageStatus.SKIPPED);
            assertThat(detail.facts()).isNull();
            assertThat(detail.whyNotSent()).isEmpty();
        }

        @Test
        void shows_its_whole_payload_when_the_limit_is_far_above() {
            UUID id = rows.ready("orders", "42");
            OperationsStore store = new JdbcOperations(dataSource(), new SqlNames(TableNames.DEFAULT), sql());

            assertThat(store.find(id, Integer.MAX_VALUE).orElseThrow().payload())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{}");
        }

        @Test
        void that_never_was_is_not_found() {
            assertThat(operations.find(UUID.randomUUID())).isEmpty();
        }
    }

    private void own(UUID id, String owner, Duration lease) {
        rows.update(
                "UPDATE postroom_lane SET owner = ?, lease_until = ?"
                        + " WHERE lane = (SELECT m.lane FROM postroom_message m WHERE m.id = ?)",
                owner,
                rows.now().plus(lease),
                id);
    }

    private List<String> why(UUID id) {
        return operations.find(id).orElseThrow().whyNotSent();
    }

    @Nested
    @Tag("R27")
    class Retry {
        @Test
        void brings_a_dead_letter_back_due_now_with_fresh_counts() {
            UUID id = rows.dead("orders", "42");

            ActionResult result = operations.change(Change.RETRY, List.of(id), "fixed");

            Rows.Live row = rows.live(id);
            assertThat(result).isEqualTo(new ActionResult(1, 1));
            assertThat(row.state()).isEqualTo(2);
            assertThat(row.retryAt()).isBetween(rows.now().minusSeconds(60), rows.now());
            assertThat(row.attempts()).isZero();
            assertThat(row.crashes()).isZero();
            assertThat(row.version()).isEqualTo(11);
        }

        @Test
        void makes_a_waiting_message_due_now() {
            UUID id = rows.waiting("orders", "42", 4, HOUR);

            operations.change(Change.RETRY, List.of(id), "fixed");

            assertThat(rows.live(id).retryAt()).isBeforeOrEqualTo(rows.now());
            assertThat(rows.live(id).attempts()).isZero();
        }

        @Test
        void leaves_messages_alone_that_never_failed() {
            UUID ready = rows.ready("orders", "42");
            UUID delayed = rows.delayed("orders", "43", HOUR);

            assertThat(operations.change(Change.RETRY, List.of(ready, delayed), "fixed"))
                    .isEqualTo(new ActionResult(0, 0));
            assertThat(rows.live(ready).version()).isZero();
        }

        @Test
        void by_filter_goes_up_to_the_limit_oldest_first() {
            UUID first = rows.dead("orders", "a");
            UUID second = rows.dead("orders", "b");
            UUID third = rows.dead("orders", "c");
            UUID other = rows.dead("invoices", "a");
            Bulk dead = Bulk.of(
                            filter().status(MessageStatus.DEAD).topic("orders").build())
                    .limit(2);

            assertThat(operations.change(Change.RETRY, dead.dryRun(true), null)).isEqualTo(new ActionResult(3, 0));
            assertThat(rows.live(first).state()).isEqualTo(3);

            assertThat(operations.change(Change.RETRY, dead, "fixed")).isEqualTo(new ActionResult(3, 2));
            assertThat(rows.live(first).state()).isEqualTo(2);
            assertThat(rows.live(second).state()).isEqualTo(2);
            assertThat(rows.live(third).state()).isEqualTo(3);
            assertThat(rows.live(other).state()).isEqualTo(3);
        }

        @Test
        void by_filter_of_one_stream_takes_no_other() {
            UUID dead = rows.dead("orders", "a");
            UUID waiting = rows.waiting("orders", "a", 2, HOUR);
            UUID ready = rows.ready("orders", "a");
            UUID otherKey = rows.dead("orders", "b");
            UUID otherTopic = rows.dead("invoices", "a");
            Bulk stream = Bulk.of(filter().tenant("").topic("orders").key("a").build());

            assertThat(operations.change(Change.RETRY, stream.limit(1).dryRun(true), null))
                    .isEqualTo(new ActionResult(2, 0));
            assertThat(operations.change(Change.RETRY, stream.limit(1), "fixed"))
                    .isEqualTo(new ActionResult(2, 1));
            assertThat(rows.live(dead).state()).isEqualTo(2);
            assertThat(rows.live(waiting).attempts()).isEqualTo(2);
            assertThat(operations.change(Change.SKIP, stream, "not needed")).isEqualTo(new ActionResult(3, 3));
            assertThat(rows.live(ready)).isNull();
            assertThat(rows.live(otherKey).state()).isEqualTo(3);
            assertThat(rows.live(otherTopic).state()).isEqualTo(3);
        }

        @Test
        void of_more_than_a_thousand_goes_in_several_transactions() {
            rows.readyMany("orders", 2_100);
            rows.update("UPDATE postroom_message SET dead_at = ?, reason = 'POISON'", rows.now());
            List<Long> progress = new ArrayList<>();

            ActionResult result = operations.change(
                    Change.RETRY, Bulk.of(filter().topic("orders").build()).limit(5_000), "fixed", progress::add);

            assertThat(result).isEqualTo(new ActionResult(2_100, 2_100));
            assertThat(progress).containsExactly(1_000L, 2_000L, 2_100L);
            assertThat(operations.audit(0, 10)).singleElement().satisfies(entry -> {
                assertThat(entry.target()).isEqualTo("topic=orders");
                assertThat(entry.matched()).isEqualTo(2_100);
                assertThat(entry.changed()).isEqualTo(2_100);
                assertThat(entry.failed()).isZero();
                assertThat(entry.oldState()).isEqualTo("2100 dead");
                assertThat(entry.newState()).isEqualTo("2100 waiting");
            });
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_message m WHERE m.state = 2 AND m.version = 1"))
                    .isEqualTo(2_100);
        }
    }

    @Nested
    class Dead_letter {
        @Test
        @Tag("R27")
        void takes_any_live_message_and_says_who_and_why() {
            UUID ready = rows.ready("orders", "a");
            UUID delayed = rows.delayed("orders", "b", HOUR);
            UUID waiting = rows.waiting("orders", "c", 2, HOUR);
            UUID dead = rows.dead("orders", "d");

            assertThat(operations.change(Change.DEAD_LETTER, List.of(ready, delayed, waiting, dead), "wrong price"))
                    .isEqualTo(new ActionResult(3, 3));
            assertThat(List.of(rows.live(ready), rows.live(delayed), rows.live(waiting)))
                    .allSatisfy(row -> {
                        assertThat(row.state()).isEqualTo(3);
                        assertThat(row.reason()).isEqualTo("UNKNOWN");
                        assertThat(row.error()).isEqualTo("dead-lettered by alice: wrong price");
                    });
            assertThat(rows.live(ready).version()).isEqualTo(1);
            assertThat(rows.live(dead).error()).isEqualTo("order 7 has no price");
        }
    }

    @Nested
    class Skip {
        @Test
        @Tag("R28")
        void archives_as_skipped_and_frees_the_stream() {
            UUID head = rows.dead("orders", "42");
            UUID follower = rows.ready("orders", "42");

            assertThat(operations.change(Change.SKIP, List.of(head), "not needed"))
                    .isEqualTo(new ActionResult(1, 1));

            assertThat(rows.live(head)).isNull();
            MessageDetail archived = operations.find(head).orElseThrow();
            assertThat(archived.item().status()).isEqualTo(MessageStatus.SKIPPED);
            assertThat(archived.item().attempts()).isEqualTo(10);
            assertThat(archived.error()).isEqualTo("order 7 has no price");
            assertThat(archived.item().processedAt()).isBetween(rows.now().minusSeconds(60), rows.now());
            assertThat(status(follower)).isEqualTo(MessageStatus.PENDING);
        }

        @Test
        @Tag("R37")
        void of_a_replay_leaves_its_archive_entry_as_it_is() {
            UUID id = rows.processed(7, "orders", "42", HOUR);
            operations.replay(replay("orders", null), 10, "again", changed -> {});

            operations.change(Change.SKIP, List.of(id), "enough");

            assertThat(rows.count("SELECT COUNT(*) FROM postroom_archive a WHERE a.id = ?", id))
                    .isEqualTo(1);
            assertThat(operations.find(id).orElseThrow().item().status()).isEqualTo(MessageStatus.PROCESSED);
        }
    }

    @Nested
    class Delete {
        @Test
        void takes_dead_and_archived_messages_only() {
            UUID ready = rows.ready("orders", "a");
            UUID dead = rows.dead("orders", "b");
            UUID processed = rows.processed(1, "orders", "c", HOUR);
            rows.attempt(dead, 1, HOUR, "error", "billing");
            rows.attempt(processed, 1, HOUR, "error before it was delivered", "billing");

            List<UUID> all = List.of(ready, dead, processed);
            assertThat(operations.dryRun(Change.DELETE, all)).isEqualTo(new ActionResult(2, 0));
            assertThat(operations.change(Change.DELETE, all, "privacy")).isEqualTo(new ActionResult(2, 2));

            assertThat(operations.find(ready)).isPresent();
            assertThat(operations.find(dead)).isEmpty();
            assertThat(operations.find(processed)).isEmpty();
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_attempt")).isZero();
        }

        @Test
        void by_filter_reaches_the_archive_by_its_status() {
            rows.processed(1, "orders", "a", HOUR);
            rows.processed(2, "invoices", "a", HOUR);
            Bulk processed = Bulk.of(
                    filter().status(MessageStatus.PROCESSED).topic("orders").build());

            assertThat(operations.change(Change.DELETE, processed, "privacy")).isEqualTo(new ActionResult(1, 1));
            assertThat(operations.change(Change.RETRY, processed, "again")).isEqualTo(new ActionResult(0, 0));
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_archive")).isEqualTo(1);
        }
    }

    @Nested
    @Tag("R28")
    class Release {
        @Test
        void of_a_ready_message_makes_it_due_now_because_readers_have_passed_it() {
            rows.dead("orders", "42");
            UUID kept = rows.ready("orders", "42");
            UUID freed = rows.ready("orders", "42");

            assertThat(operations.change(Change.RELEASE, List.of(freed), "free M3"))
                    .isEqualTo(new ActionResult(1, 1));

            Rows.Live row = rows.live(freed);
            assertThat(row.released()).isTrue();
            assertThat(row.state()).isEqualTo(2);
            assertThat(row.retryAt()).isBetween(rows.now().minusSeconds(60), rows.now());
            assertThat(row.version()).isEqualTo(1);
            assertThat(status(freed)).isEqualTo(MessageStatus.PENDING);
            assertThat(status(kept)).isEqualTo(MessageStatus.BLOCKED);
        }

        @Test
        void of_a_waiting_message_keeps_its_retry_time_unless_that_has_passed() {
            UUID later = rows.waiting("orders", "a", 2, HOUR);
            UUID overdue = rows.waiting("orders", "b", 2, HOUR.negated());
            UUID delayed = rows.delayed("orders", "c", HOUR);
            Instant retryAt = rows.live(later).retryAt();

            operations.change(Change.RELEASE, List.of(later, overdue, delayed), "go on");

            assertThat(rows.live(later).retryAt()).isEqualTo(retryAt);
            assertThat(rows.live(later).attempts()).isEqualTo(2);
            assertThat(rows.live(overdue).retryAt()).isAfter(rows.now().minusSeconds(60));
            assertThat(rows.live(delayed).retryAt()).isNull();
            assertThat(status(delayed)).isEqualTo(MessageStatus.SCHEDULED);
        }

        @Test
        void of_a_dead_message_leaves_it_dead_and_frees_its_stream() {
            UUID dead = rows.dead("orders", "42");
            UUID follower = rows.ready("orders", "42");

            operations.change(Change.RELEASE, List.of(dead), "go on");

            assertThat(status(dead)).isEqualTo(MessageStatus.DEAD);
            assertThat(rows.live(dead).released()).isTrue();
            assertThat(status(follower)).isEqualTo(MessageStatus.PENDING);
        }

        @Test
        void leaves_messages_without_a_key_alone() {
            UUID id = rows.ready("orders", null);

            assertThat(operations.change(Change.RELEASE, List.of(id), "go on")).isEqualTo(new ActionResult(0, 0));
        }

        @Test
        void of_a_stream_takes_all_its_holders_and_no_other_stream() {
            UUID dead = rows.dead("orders", "a");
            UUID waiting = rows.waiting("orders", "a", 1, HOUR);
            UUID follower = rows.ready("orders", "a");
            UUID otherCase = rows.dead("orders", "A");

            ActionResult result = operations.releaseStream(ReleaseRequest.of("", "a"), "go on");

            assertThat(result).isEqualTo(new ActionResult(2, 2));
            assertThat(rows.live(dead).released()).isTrue();
            assertThat(rows.live(waiting).released()).isTrue();
            assertThat(rows.live(follower).released()).isFalse();
            assertThat(rows.live(otherCase).released()).isFalse();
            assertThat(status(follower)).isEqualTo(MessageStatus.PENDING);
            assertThat(operations.releaseStream(ReleaseRequest.of("", "a"), "again"))
                    .isEqualTo(new ActionResult(0, 0));
        }

        @Test
        void of_chosen_messages_leaves_the_others_of_the_stream_and_strangers_alone() {
            UUID dead = rows.dead("orders", "a");
            UUID chosen = rows.ready("orders", "a");
            UUID stranger = rows.ready("orders", "b");

            ActionResult result = operations.releaseStream(
                    ReleaseRequest.of("", "a").only(List.of(chosen, stranger)), "free M3, keep M2");

            assertThat(result).isEqualTo(new ActionResult(1, 1));
            assertThat(rows.live(chosen).released()).isTrue();
            assertThat(rows.live(dead).released()).isFalse();
            assertThat(rows.live(stranger).released()).isFalse();
        }
    }

    @Nested
    @Tag("R22")
    class A_stream_of_several_topics {
        @Test
        void is_one_blocked_stream_named_by_its_first_holder() {
            UUID placed = rows.dead("orders.placed", "order-42");
            rows.waiting("orders.paid", "order-42", 1, HOUR);
            rows.ready("orders.cancelled", "order-42");

            assertThat(operations.blockedStreams(10)).singleElement().satisfies(blocked -> {
                assertThat(blocked.stream()).isEqualTo(new StreamKey("", "order-42"));
                assertThat(blocked.headId()).isEqualTo(placed);
                assertThat(blocked.headTopic()).isEqualTo("orders.placed");
                assertThat(blocked.holders()).isEqualTo(2);
            });
        }

        @Test
        void is_read_as_blocked_by_sql_too() {
            rows.dead("orders.placed", "order-42");
            UUID behind = rows.ready("orders.cancelled", "order-42");

            assertThat(rows.count(
                            "SELECT COUNT(*) FROM postroom_readable r WHERE r.id = ? AND r.status = 'blocked'", behind))
                    .isEqualTo(1);
        }

        @Test
        @Tag("R28")
        void is_released_as_a_whole_by_its_key() {
            UUID placed = rows.dead("orders.placed", "order-42");
            UUID paid = rows.waiting("orders.paid", "order-42", 1, HOUR);
            UUID cancelled = rows.ready("orders.cancelled", "order-42");

            assertThat(operations.releaseStream(ReleaseRequest.of("", "order-42"), "go on"))
                    .isEqualTo(new ActionResult(2, 2));

            assertThat(rows.live(placed).released()).isTrue();
            assertThat(rows.live(paid).released()).isTrue();
            assertThat(status(cancelled)).isEqualTo(MessageStatus.PENDING);
            assertThat(operations.audit(0, 1).get(0).target()).isEqualTo("key=order-42");
        }

        @Test
        @Tag("R28")
        void is_released_for_one_topic_alone() {
            UUID placed = rows.dead("orders.placed", "order-42");
            UUID paid = rows.waiting("orders.paid", "order-42", 1, HOUR);
            UUID cancelled = rows.ready("orders.cancelled", "order-42");
            ReleaseRequest request = ReleaseRequest.of("", "order-42").topic("orders.paid");

            assertThat(operations.releaseStream(request, "go on")).isEqualTo(new ActionResult(1, 1));
            assertThat(operations.releaseStream(request.only(List.of(placed, cancelled)), "go on"))
                    .isEqualTo(new ActionResult(0, 0));

            assertThat(rows.live(paid).released()).isTrue();
            assertThat(rows.live(placed).released()).isFalse();
            assertThat(status(cancelled)).isEqualTo(MessageStatus.BLOCKED);
        }

        @Test
        void says_of_a_message_that_it_waits_for_an_earlier_one_of_another_topic() {
            UUID placed = rows.ready("orders.placed", "order-42");
            UUID cancelled = rows.ready("orders.cancelled", "order-42");
            rows.ready("orders.cancelled", "order-43");
            rows.node("relay-1", Duration.ZERO, "{}");
            own(cancelled, "relay-1", HOUR);

            assertThat(why(cancelled))
                    .containsExactly("Waits behind message " + placed + " of its stream (topic 'orders.placed'),"
                            + " which still has to be sent; look at why that one has not been sent");
            assertThat(why(placed)).noneMatch(sentence -> sentence.contains("behind"));
        }

        @Test
        void waits_only_where_both_still_have_to_go() {
            routing("orders.* -> billing, warehouse (block)\nmail.* -> mailer (block)");
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (3, 'billing')");
            UUID placed = rows.ready("orders.placed", "order-42");
            UUID mail = rows.ready("mail.sent", "order-42");
            UUID cancelled = rows.ready("orders.cancelled", "order-42");
            UUID unrouted = rows.ready("invoices.made", "order-42");
            rows.update("UPDATE postroom_message SET completed = 8 WHERE id = ?", placed);

            assertThat(why(cancelled))
                    .anySatisfy(sentence -> assertThat(sentence)
                            .startsWith("Waits behind message " + placed)
                            .contains("which still has to go to warehouse;"));
            assertThat(why(mail)).noneMatch(sentence -> sentence.contains("behind"));
            assertThat(why(unrouted))
                    .anySatisfy(
                            sentence -> assertThat(sentence).startsWith("No route matches its topic 'invoices.made'"))
                    .noneMatch(sentence -> sentence.contains("behind"));
        }

        @Test
        void is_not_held_by_a_dead_letter_where_that_has_arrived() {
            routing("orders.* -> billing, warehouse (block)\nbills.* -> billing (block)");
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (3, 'billing')");
            UUID dead = rows.dead("orders.placed", "order-42");
            rows.update("UPDATE postroom_message SET completed = 8 WHERE id = ?", dead);
            UUID bill = rows.ready("bills.made", "order-42");
            UUID cancelled = rows.ready("orders.cancelled", "order-42");

            assertThat(why(bill)).noneMatch(sentence -> sentence.contains("behind message"));
            assertThat(why(cancelled))
                    .anySatisfy(sentence -> assertThat(sentence).startsWith("Blocked behind message " + dead));
        }

        @Test
        void is_found_by_its_key_whatever_the_topics() {
            UUID placed = rows.ready("t1", "orders.placed", "order-42");
            UUID cancelled = rows.ready("t1", "orders.cancelled", "order-42");
            rows.ready("t2", "orders.placed", "order-42");

            assertThat(operations
                            .list(filter().tenant("t1").key("order-42").build(), 0, 10)
                            .items())
                    .extracting(MessageItem::id)
                    .containsExactly(cancelled, placed);
            assertThat(operations.change(
                            Change.SKIP,
                            Bulk.of(filter().tenant("t1").key("order-42").build()),
                            "not needed"))
                    .isEqualTo(new ActionResult(2, 2));
        }

        private void routing(String text) {
            RoutingText routes = new RoutingText(text);
            rows.update(
                    "INSERT INTO postroom_routing (fingerprint, routes, first_seen, in_force_from) VALUES (?, ?, ?, ?)",
                    routes.fingerprint(),
                    routes.text(),
                    rows.now(),
                    rows.now());
        }
    }

    @Nested
    @Tag("R37")
    class Replay {
        @Test
        void puts_archived_messages_back_in_order_with_their_ids_for_one_destination() {
            UUID second = rows.processed(20, "orders", "a", HOUR);
            UUID first = rows.processed(10, "orders", "a", HOUR);
            rows.processed(15, "invoices", "a", HOUR);
            rows.skipped(16, "orders", "a", HOUR);

            ActionResult result = operations.replay(replay("orders", null), 100, "rebuild", changed -> {});

            assertThat(result).isEqualTo(new ActionResult(2, 2));
            assertThat(rows.live(first).onlyDestination()).isEqualTo("billing");
            assertThat(rows.live(first).state()).isEqualTo(1);
            assertThat(rows.live(first).availableAt()).isBeforeOrEqualTo(rows.now());
            assertThat(rows.live(first).seq()).isLessThan(rows.live(second).seq());
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_message")).isEqualTo(2);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_archive")).isEqualTo(4);
            assertThat(operations.find(first).orElseThrow().item().stream()).isEqualTo(new Stream("", "orders", "a"));
        }

        @Test
        void at_a_rate_spreads_them_out() {
            UUID first = rows.processed(10, "orders", "a", HOUR);
            rows.processed(11, "orders", "b", HOUR);
            UUID third = rows.processed(12, "orders", "c", HOUR);

            operations.replay(replay("orders", 2), 100, "rebuild", changed -> {});

            assertThat(Duration.between(
                            rows.live(first).availableAt(), rows.live(third).availableAt()))
                    .isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        void at_a_rate_goes_on_spreading_over_several_steps() {
            List<UUID> ids = rows.processedMany("orders", 1_002);

            operations.replay(replay("orders", 1), 2_000, "rebuild", changed -> {});

            Instant thousandth = rows.live(ids.get(999)).availableAt();
            Instant next = rows.live(ids.get(1_000)).availableAt();
            assertThat(Duration.between(thousandth, next)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        }

        @Test
        void leaves_out_what_is_live_already() {
            rows.processed(10, "orders", "a", HOUR);

            operations.replay(replay("orders", null), 100, "rebuild", changed -> {});

            assertThat(operations.replay(replay("orders", null), 100, "rebuild", changed -> {}))
                    .isEqualTo(new ActionResult(1, true, 0, 1));
        }

        @Test
        @Tag("R61")
        void topics_of_what_was_delivered_in_a_time_are_listed_up_to_a_limit() {
            rows.processed(10, "orders", "a", HOUR);
            rows.processed(11, "orders", "b", HOUR);
            rows.processed(12, "invoices", "a", HOUR);
            rows.processed(13, "late", "a", HOUR.multipliedBy(3));
            rows.skipped(14, "skipped", "a", HOUR);
            OperationsStore store = new JdbcOperations(dataSource(), new SqlNames(TableNames.DEFAULT), sql());
            Instant from = rows.now().minus(HOUR.multipliedBy(2));
            Instant to = rows.now();

            assertThat(store.archivedTopics(null, from, to, 10)).containsExactly("invoices", "orders");
            assertThat(store.archivedTopics(null, from, to, 1)).containsExactly("invoices");
            assertThat(store.archivedTopics("acme", from, to, 10)).isEmpty();
        }

        @Test
        void is_narrowed_by_key_and_time_and_counts_in_a_dry_run() {
            rows.processed(10, "orders", "a", HOUR);
            rows.processed(11, "orders", "a", HOUR.multipliedBy(3));
            rows.processed(12, "orders", "b", HOUR);
            Instant cut = rows.now().minus(HOUR.multipliedBy(2));

            assertThat(operations.dryRunReplay(new ReplayRequest(null, "orders", "a", null, null, "billing", null)))
                    .isEqualTo(new ActionResult(2, 0));
            assertThat(operations.dryRunReplay(new ReplayRequest("", "orders", null, cut, null, "billing", null)))
                    .isEqualTo(new ActionResult(2, 0));
            assertThat(operations.dryRunReplay(new ReplayRequest(null, "orders", null, null, cut, "billing", null)))
                    .isEqualTo(new ActionResult(1, 0));
            assertThat(operations.dryRunReplay(new ReplayRequest("t1", "orders", null, null, null, "billing", null)))
                    .isEqualTo(new ActionResult(0, 0));
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_message")).isZero();
        }
    }

    @Nested
    @Tag("R36")
    class Pausing {
        @Test
        void is_remembered_with_who_when_and_why_until_it_is_resumed() {
            operations.pause(Pause.Target.EVERYTHING, "upgrade");
            operations.pause(Pause.Target.destination("billing"), "night");
            operations.pause(Pause.Target.topic("orders"), "first");
            operations.pause(Pause.Target.topic("orders"), "second");

            assertThat(operations.pauses())
                    .extracting(Pause::target, Pause::by, Pause::reason)
                    .containsExactlyInAnyOrder(
                            tuple(Pause.Target.EVERYTHING, "alice", "upgrade"),
                            tuple(Pause.Target.destination("billing"), "alice", "night"),
                            tuple(Pause.Target.topic("orders"), "alice", "second"));
            assertThat(operations.pauses().get(0).since()).isBetween(rows.now().minusSeconds(60), rows.now());

            assertThat(operations.resume(Pause.Target.EVERYTHING, "done")).isTrue();
            assertThat(operations.resume(Pause.Target.EVERYTHING, "done")).isFalse();
            assertThat(operations.pauses()).hasSize(2);
        }

        @Test
        void shows_at_the_destination() {
            rows.update("INSERT INTO postroom_destination (bit, name) VALUES (0, 'audit')");
            operations.pause(Pause.Target.destination("billing"), "night");
            operations.pause(Pause.Target.topic("orders"), "prices");

            List<DestinationItem> destinations = operations.destinations();

            assertThat(destinations).extracting(DestinationItem::name).containsExactly("audit", "billing");
            assertThat(destinations.get(0).pause()).isNull();
            assertThat(destinations.get(1).pause().reason()).isEqualTo("night");
        }
    }

    @Nested
    @Tag("R50")
    class Statistics {
        @Test
        void of_an_empty_outbox_are_zero() {
            assertThat(operations.stats()).isEqualTo(new Stats(0, true, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null));
        }

        @Test
        void count_every_kind() {
            UUID oldest = rows.ready("orders", "a");
            rows.update(
                    "UPDATE postroom_message SET created_at = ? WHERE id = ?",
                    rows.now().minusSeconds(100),
                    oldest);
            rows.ready("orders", "b");
            UUID next = rows.waiting("orders", "c", 2, HOUR);
            UUID latest = rows.delayed("orders", null, HOUR.multipliedBy(2));
            rows.waiting("orders", null, 1, Duration.ofSeconds(-50));
            rows.dead("orders", "d");
            rows.dead("orders", null);
            rows.processed(1, "orders", "a", Duration.ofSeconds(5));
            rows.processed(2, "orders", "a", Duration.ofSeconds(5));
            rows.processed(3, "orders", "a", Duration.ofSeconds(5));
            rows.processed(4, "orders", "a", HOUR);
            rows.attempt(oldest, 1, Duration.ofSeconds(5), "error", "billing");
            rows.attempt(oldest, 1, HOUR, "error", "billing");
            rows.node("relay-1", Duration.ZERO, "{\"breakers\": [{\"inFlight\": 99}], \"inFlight\": 7}");
            rows.node("relay-2", Duration.ZERO, "{\"inFlight\": 5}");
            rows.node("gone", HOUR, "{\"inFlight\": 1000}");
            rows.node("strange", Duration.ZERO, "nonsense");

            Stats stats = operations.stats();

            assertThat(stats.backlog()).isEqualTo(5);
            assertThat(stats.backlogIsExact()).isTrue();
            assertThat(stats.scheduled()).isEqualTo(2);
            assertThat(stats.blockedStreams()).as("nobody waits behind c or d").isZero();
            assertThat(stats.blockedMessages()).isZero();
            assertThat(stats.failedPending()).isEqualTo(2);
            assertThat(stats.dead()).isEqualTo(2);
            assertThat(stats.inFlight()).isEqualTo(12);
            assertThat(stats.oldestAgeSeconds()).isBetween(100.0, 160.0);
            assertThat(stats.throughputPerSecond()).isEqualTo(3 / 60.0);
            assertThat(stats.failureRatio()).isEqualTo(0.25);
            assertThat(stats.nextDue()).isEqualTo(rows.live(next).retryAt());
            assertThat(stats.latestDue()).isEqualTo(rows.live(latest).availableAt());
        }
    }

    @Nested
    @Tag("R22")
    @Tag("R50")
    class Who_waits_behind_a_failure {
        @Test
        void is_counted_by_stream_and_by_message_over_all_topics() {
            rows.dead("orders.placed", "a");
            rows.waiting("orders.paid", "a", 1, HOUR);
            rows.ready("orders.shipped", "a");
            rows.delayed("orders.cancelled", "a", HOUR);
            rows.waiting("orders.placed", "b", 3, HOUR);
            rows.ready("invoices.made", "b");
            rows.ready("t1", "orders.paid", "a");

            assertBlocked(2, 3);
        }

        @Test
        void is_nobody_where_nothing_came_after_the_failure_or_it_holds_nobody() {
            rows.ready("orders", "before");
            rows.dead("orders", "before");
            rows.dead("orders", "alone");
            rows.dead("orders", "alone");
            UUID skipped = rows.dead("orders", "skip");
            rows.update("UPDATE postroom_message SET holds = FALSE WHERE id = ?", skipped);
            rows.ready("orders", "skip");
            UUID released = rows.dead("orders", "released");
            rows.ready("orders", "released");
            operations.change(Change.RELEASE, List.of(released), "go on");

            assertBlocked(0, 0);
        }

        @Test
        void is_counted_up_to_a_limit() {
            rows.dead("orders", "a");
            rows.readyMany("orders", "a", 10_500);
            rows.dead("orders", "b");
            rows.ready("orders", "b");

            assertBlocked(2, 10_000);
        }

        private void assertBlocked(long streams, long messages) {
            Stats stats = operations.stats();
            assertThat(stats.blockedStreams()).isEqualTo(streams);
            assertThat(stats.blockedMessages()).isEqualTo(messages);
        }
    }

    @Test
    void tables_are_told_with_their_rows_as_the_database_estimates_them() {
        rows.ready("orders", "a");
        StorageFacts facts = operations.storage();
        assertThat(facts.tables())
                .extracting(StorageFacts.Table::name)
                .contains("postroom_message", "postroom_archive", "postroom_attempt", "postroom_audit");
        assertThat(facts.tables()).allSatisfy(table -> assertThat(table.rows()).isNotNegative());
        assertThat(facts.partitions())
                .allSatisfy(part -> assertThat(part.name()).startsWith("postroom_archive"));
    }

    @Nested
    @Tag("R50")
    class Gauges_for_meters {
        @Test
        void of_an_empty_outbox_are_zero() {
            Gauges gauges = operations.gauges(5);
            assertThat(gauges.stats().backlog()).isZero();
            assertThat(gauges.poisonCandidates()).isZero();
            assertThat(gauges.at()).isBetween(rows.now().minusSeconds(60), rows.now());
        }

        @Test
        void only_what_failed_often_is_a_candidate() {
            rows.dead("orders", "a");
            rows.waiting("orders", "b", 3, HOUR);
            rows.waiting("orders", null, 2, HOUR);
            rows.waiting("invoices", "a", 1, HOUR);
            Gauges gauges = operations.gauges(2);
            assertThat(gauges.poisonCandidates()).isEqualTo(2);
            assertThat(gauges.stats().dead()).isEqualTo(1);
        }

        @Test
        void senseless_threshold_is_refused() {
            assertThatThrownBy(() -> operations.gauges(0)).hasMessageContaining("at least 1");
        }
    }

    @Nested
    class Troubles_are_shown {
        @Test
        void by_groups_of_like_failures_largest_first() {
            rows.dead("orders", "a", "order 7 has no price");
            rows.dead("orders", "b", "order 8 has no price");
            UUID latest = rows.dead("orders", "c", "order 9 has no price");
            rows.update(
                    "UPDATE postroom_message SET failed_at = ? WHERE id = ?",
                    rows.now().plusSeconds(5),
                    latest);
            rows.waiting("orders", "d", 1, HOUR);
            rows.dead("invoices", "a", "order 7 has no price");
            rows.ready("orders", "e");

            List<FailureGroup> groups = operations.failures(10);

            assertThat(groups).hasSize(3);
            FailureGroup largest = groups.get(0);
            assertThat(largest.reason()).isEqualTo(FailureReason.POISON);
            assertThat(largest.fingerprint()).isEqualTo("order <n> has no price");
            assertThat(largest.topic()).isEqualTo("orders");
            assertThat(largest.count()).isEqualTo(3);
            assertThat(largest.dead()).isEqualTo(3);
            assertThat(largest.sampleId()).isEqualTo(latest);
            assertThat(largest.sampleError()).isEqualTo("order 9 has no price");
            assertThat(groups).anySatisfy(group -> {
                assertThat(group.fingerprint()).isEqualTo("no answer within <n> s");
                assertThat(group.dead()).isZero();
            });
            assertThat(operations.failures(1)).containsExactly(largest);
        }

        @Test
        @Tag("R28")
        void by_blocked_streams_the_longest_held_first() {
            UUID head = rows.waiting("orders", "a", 3, HOUR);
            rows.dead("orders", "a");
            UUID older = rows.dead("orders", "b");
            rows.update(
                    "UPDATE postroom_message SET dead_at = ? WHERE id = ?",
                    rows.now().minus(HOUR),
                    older);
            UUID released = rows.dead("orders", "c");
            operations.change(Change.RELEASE, List.of(released), "go on");
            rows.dead("orders", null);
            rows.ready("orders", "d");

            List<BlockedStream> blocked = operations.blockedStreams(10);

            assertThat(blocked).extracting(BlockedStream::headId).containsExactly(older, head);
            assertThat(blocked.get(0).headStatus()).isEqualTo(MessageStatus.DEAD);
            assertThat(blocked.get(1).stream()).isEqualTo(new StreamKey("", "a"));
            assertThat(blocked.get(1).headTopic()).isEqualTo("orders");
            assertThat(blocked.get(1).headStatus()).isEqualTo(MessageStatus.SCHEDULED);
            assertThat(blocked.get(1).reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(blocked.get(1).holders()).isEqualTo(2);
            assertThat(operations.blockedStreams(1)).hasSize(1);
        }
    }

    @Nested
    @Tag("R34")
    class Purging {
        @Test
        void removes_old_archived_messages_and_leaves_the_rest() {
            UUID live = rows.dead("orders", "a");
            rows.processed(1, "orders", "a", HOUR.multipliedBy(3));
            rows.skipped(2, "orders", "a", HOUR.multipliedBy(2));
            UUID young = rows.processed(3, "orders", "a", Duration.ofMinutes(1));
            rows.attempt(live, 1, HOUR.multipliedBy(2), "old", "billing");
            rows.attempt(live, 2, Duration.ofMinutes(1), "young", "billing");
            dedup("over", HOUR.negated());
            dedup("still", HOUR);
            inbox("old", HOUR.multipliedBy(100));

            assertThat(operations.dryRunPurge(HOUR)).isEqualTo(new ActionResult(2, 0));
            assertThat(operations.purge(HOUR, "disk is full", removed -> {})).isEqualTo(new ActionResult(2, 2));

            assertThat(operations.find(live)).isPresent();
            assertThat(operations.find(young)).isPresent();
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_archive")).isEqualTo(1);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_attempt t WHERE t.error = 'young'"))
                    .isEqualTo(1);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_attempt")).isEqualTo(1);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_dedup d WHERE d.idempotency_key = 'still'"))
                    .isEqualTo(1);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_dedup")).isEqualTo(1);
            assertThat(rows.count("SELECT COUNT(*) FROM postroom_inbox")).isEqualTo(1);
            assertThat(operations.audit(0, 10))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.changed()).isEqualTo(2));
        }

        @Test
        void is_done_in_bounded_steps() {
            rows.processedMany("orders", 25);
            for (int i = 0; i < 3; i++) {
                dedup("over" + i, HOUR.negated());
                inbox("old" + i, HOUR);
                rows.attempt(UUID.randomUUID(), 1, HOUR, "old", "billing");
                operations.pause(Pause.Target.EVERYTHING, "for the audit");
            }
            rows.update("UPDATE postroom_audit SET at = ?", rows.now().minus(Duration.ofDays(31)));
            Duration minute = Duration.ofSeconds(30);

            assertThat(maintenance().purgeArchive(minute, 10)).isEqualTo(10);
            assertThat(maintenance().purgeArchive(minute, 10)).isEqualTo(10);
            assertThat(maintenance().purgeArchive(minute, 10)).isEqualTo(5);
            assertThat(maintenance().purgeArchive(minute, 10)).isZero();
            assertThat(maintenance().purgeDedup(2)).isEqualTo(2);
            assertThat(maintenance().purgeDedup(2)).isEqualTo(1);
            assertThat(maintenance().purgeInbox(minute, 2)).isEqualTo(2);
            assertThat(maintenance().purgeInbox(minute, 2)).isEqualTo(1);
            assertThat(maintenance().purgeAttempts(minute, 2)).isEqualTo(2);
            assertThat(maintenance().purgeAttempts(minute, 2)).isEqualTo(1);
            assertThat(maintenance().purgeAudit(Maintenance.LEAST_AUDIT_AGE, 2)).isEqualTo(2);
            assertThat(maintenance().purgeAudit(Maintenance.LEAST_AUDIT_AGE, 2)).isEqualTo(1);
            assertThat(maintenance().purgeAudit(Maintenance.LEAST_AUDIT_AGE, 2)).isZero();
        }

        @Test
        @Tag("R21")
        void forgets_relays_that_died_and_no_other() {
            Duration day = Duration.ofDays(1);
            rows.node("alive", Duration.ZERO, "{}");
            rows.node("died", day.minus(HOUR), "{}");
            for (int i = 0; i < 3; i++) {
                rows.node("died long ago " + i, day.plus(HOUR), "{}");
            }

            assertThat(maintenance().purgeNodes(day, 2)).isEqualTo(2);
            assertThat(maintenance().purgeNodes(day, 2)).isEqualTo(1);
            assertThat(maintenance().purgeNodes(day, 2)).isZero();
            assertThat(operations.nodes()).extracting(NodeItem::node).containsExactly("alive", "died");
        }

        @Test
        void of_what_is_older_than_time_itself_removes_nothing() {
            rows.processed(1, "orders", "a", HOUR);

            assertThat(maintenance().purgeArchive(Duration.ofDays(400_000), 10)).isZero();
        }

        @Test
        void prepares_the_archive_as_often_as_one_likes() {
            maintenance().prepareArchive();
            maintenance().prepareArchive();

            assertThat(rows.count("SELECT COUNT(*) FROM postroom_archive")).isZero();
        }

        private void dedup(String key, Duration expiresIn) {
            rows.update(
                    "INSERT INTO postroom_dedup (tenant, idempotency_key, message_id, expires_at) VALUES ('', ?, ?, ?)",
                    key,
                    UUID.randomUUID(),
                    rows.now().plus(expiresIn));
        }

        private void inbox(String id, Duration ago) {
            rows.update(
                    "INSERT INTO postroom_inbox (consumer, message_id, handled_at) VALUES ('billing', ?, ?)",
                    id,
                    rows.now().minus(ago));
        }
    }

    @Test
    void nodes_and_lanes_are_shown() {
        rows.node("relay-1", Duration.ZERO, "{\"inFlight\": 7}");
        rows.node("gone", HOUR, "{}");
        rows.update(
                "UPDATE postroom_lane SET owner = 'relay-1', epoch = 3, lease_until = ? WHERE lane < 16",
                rows.now().plus(HOUR));
        rows.update(
                "UPDATE postroom_lane SET owner = 'gone', lease_until = ? WHERE lane = 20",
                rows.now().minus(HOUR));

        List<NodeItem> nodes = operations.nodes();

        assertThat(nodes).extracting(NodeItem::node).containsExactly("relay-1", "gone");
        assertThat(nodes).extracting(NodeItem::alive).containsExactly(true, false);
        assertThat(nodes).extracting(NodeItem::lanes).containsExactly(16, 0);
        assertThat(nodes.get(0).details()).isEqualTo("{\"inFlight\": 7}");
        assertThat(operations.lanes()).hasSize(64);
        assertThat(operations.lanes().get(3).owner()).isEqualTo("relay-1");
        assertThat(operations.lanes().get(3).leaseUntil()).isAfter(rows.now());
        assertThat(operations.lanes().get(63).owner()).isNull();
    }

    @Test
    @Tag("R72")
    void action_that_finds_nothing_is_audited_once_with_what_was_asked_for() {
        UUID none = UUID.randomUUID();
        Operations acme = operations.seeing(new Sight(Tenants.of(List.of("acme")), ErrorSearch.NONE));
        UUID foreign = rows.dead("orders", "a");
        MessageFilter filter = filter().topic("nothing").build();

        operations.change(Change.RETRY, Bulk.of(filter), "x");
        operations.change(Change.SKIP, List.of(none), "x");
        acme.change(Change.DELETE, List.of(foreign), "x");
        operations.releaseStream(ReleaseRequest.of("", "z"), "x");
        assertThat(operations.releaseStream(ReleaseRequest.of("", "z").only(List.of(foreign, none)), "x"))
                .isEqualTo(new ActionResult(0, 0));
        operations.replay(replay("nothing", null), 10, "x", changed -> {});
        operations.resume(Pause.Target.topic("orders"), "x");
        operations.purge(HOUR, "x", removed -> {});
        operations.erase(ErasureRequest.ofIds(List.of(none)), "x", erased -> {});
        operations.erase(new ErasureRequest("", "no such key", List.of()), "x", erased -> {});

        List<AuditEntry> audit = operations.audit(0, 20);
        assertThat(audit)
                .extracting(AuditEntry::action)
                .containsExactly(
                        "erase", "erase", "purge", "resume", "replay", "release", "release", "delete", "skip", "retry");
        assertThat(audit).allMatch(entry -> entry.matched() == 0 && entry.changed() == 0 && entry.failed() == 0);
        assertThat(audit.get(9).target()).isEqualTo("topic=nothing");
        assertThat(audit.get(9).newState()).isEqualTo("nothing matched");
        assertThat(audit.get(7).target()).contains(foreign.toString());
    }

    @Test
    void every_change_is_audited_newest_first() {
        UUID dead = rows.dead("orders", "a");
        operations.pause(Pause.Target.topic("orders"), "prices");
        operations.change(Change.RETRY, List.of(dead), "fixed");
        operations.change(Change.DEAD_LETTER, Bulk.of(filter().topic("orders").build()), "broken again");

        List<AuditEntry> audit = operations.audit(0, 10);

        assertThat(audit).extracting(AuditEntry::action).containsExactly("dead-letter", "retry", "pause");
        assertThat(audit)
                .extracting(AuditEntry::target)
                .containsExactly("topic=orders", dead.toString(), "topic=orders");
        assertThat(audit).extracting(AuditEntry::reason).containsExactly("broken again", "fixed", "prices");
        assertThat(audit).allMatch(entry -> entry.actor().equals("alice") && entry.changed() == 1);
        assertThat(audit.get(0).at()).isBetween(rows.now().minusSeconds(60), rows.now());
        assertThat(operations.audit(1, 2)).containsExactly(audit.get(2));
    }

    @Nested
    @Tag("R72")
    class Somebody_bound_to_tenants {
        private final Operations bound =
                operations.seeing(new Sight(Tenants.of(List.of("acme", "initech")), ErrorSearch.NONE));

        private UUID own;
        private UUID foreign;

        @BeforeEach
        void write() {
            own = dead("acme");
            foreign = dead("globex");
            rows.ready("initech", "orders", "a");
            rows.ready("globex", "orders", "a");
            rows.dead("orders", "a");
        }

        private UUID dead(String tenant) {
            UUID id = rows.ready(tenant, "orders", "d");
            rows.update(
                    "UPDATE postroom_message SET dead_at = ?, failed_at = ?, attempts = 2, reason = 'POISON',"
                            + " error = 'jane is unknown' WHERE id = ?",
                    rows.now(),
                    rows.now(),
                    id);
            return id;
        }

        @Test
        void sees_and_counts_their_messages_only() {
            assertThat(bound.list(MessageFilter.ALL, 0, 10).total()).isEqualTo(2);
            assertThat(bound.list(filter().tenant("globex").build(), 0, 10).items())
                    .isEmpty();
            assertThat(bound.find(own)).isPresent();
            assertThat(bound.find(foreign)).isEmpty();
            assertThat(bound.failures(10))
                    .singleElement()
                    .satisfies(group -> assertThat(group.count()).isEqualTo(1));
            assertThat(bound.blockedStreams(10))
                    .singleElement()
                    .satisfies(blocked -> assertThat(blocked.headId()).isEqualTo(own));
        }

        @Test
        void has_stats_of_their_own() {
            rows.ready("acme", "invoices", "d");
            rows.ready("globex", "invoices", "d");
            rows.processed(1, "orders", "a", Duration.ofSeconds(1));
            Stats stats = bound.stats();

            assertThat(stats.backlog()).isEqualTo(2);
            assertThat(stats.backlogIsExact()).isTrue();
            assertThat(stats.dead()).isEqualTo(1);
            assertThat(stats.blockedStreams()).isEqualTo(1);
            assertThat(stats.blockedMessages()).isEqualTo(1);
            assertThat(stats.failedPending()).isZero();
            assertThat(stats.scheduled()).isZero();
            assertThat(stats.oldestAgeSeconds()).isBetween(0.0, 600.0);
            assertThat(stats.throughputPerSecond()).isZero();
            assertThat(stats.nextDue()).isNull();
        }

        @Test
        void changes_their_messages_only() {
            assertThat(bound.change(Change.RETRY, List.of(own, foreign), "x")).isEqualTo(new ActionResult(1, 1));
            assertThat(bound.change(Change.DEAD_LETTER, Bulk.ofEverything(), "x"))
                    .isEqualTo(new ActionResult(2, 2));
            assertThat(bound.change(Change.DELETE, List.of(foreign), "x")).isEqualTo(new ActionResult(0, 0));
            assertThat(status(foreign)).isEqualTo(MessageStatus.DEAD);
            assertThatThrownBy(() -> bound.releaseStream(ReleaseRequest.of("globex", "d"), "x"))
                    .isInstanceOf(NotYoursException.class);
            assertThatThrownBy(() -> bound.pause(Pause.Target.EVERYTHING, "x")).isInstanceOf(NotYoursException.class);
        }

        @Test
        void counts_before_a_change_what_it_would_change_and_no_more() {
            Bulk dead = Bulk.of(filter().status(MessageStatus.DEAD).build()).dryRun(true);
            assertThat(bound.change(Change.RETRY, dead, null)).isEqualTo(new ActionResult(1, 0));
            assertThat(bound.dryRun(Change.RETRY, List.of(own, foreign))).isEqualTo(new ActionResult(1, 0));
            assertThat(bound.dryRun(Change.RETRY, List.of(foreign))).isEqualTo(new ActionResult(0, 0));
        }

        @Test
        void releases_no_chosen_message_of_anothers_stream() {
            UUID behind = rows.ready("globex", "orders", "d");
            ReleaseRequest request = ReleaseRequest.of("globex", "d").only(List.of(behind));
            assertThatThrownBy(() -> bound.releaseStream(request, "x")).isInstanceOf(NotYoursException.class);
            assertThat(rows.live(behind).released()).isFalse();
        }

        /** Also who names none, where it is clear which is meant. */
        @Test
        void replays_messages_of_one_tenant_which_is_theirs() {
            archive("acme", 1);
            archive("globex", 2);
            archive("", 3);
            Operations acme = operations.seeing(new Sight(Tenants.of(List.of("acme")), ErrorSearch.NONE));

            assertThat(acme.dryRunReplay(replayOf(null))).isEqualTo(new ActionResult(1, 0));
            assertThat(acme.replay(replayOf(null), 10, "x", changed -> {})).isEqualTo(new ActionResult(1, 1));
            for (String tenant : new String[] {"globex", ""}) {
                assertThatThrownBy(() -> acme.dryRunReplay(replayOf(tenant))).isInstanceOf(NotYoursException.class);
                assertThatThrownBy(() -> acme.replay(replayOf(tenant), 10, "x", changed -> {}))
                        .isInstanceOf(NotYoursException.class);
            }
            assertThatThrownBy(() -> bound.dryRunReplay(replayOf(null))).isInstanceOf(NotYoursException.class);
        }

        private UUID archive(String tenant, long seq) {
            UUID id = rows.processed(seq, "orders", "a", Duration.ofSeconds(1));
            rows.update("UPDATE postroom_archive SET tenant = ? WHERE id = ?", tenant, id);
            return id;
        }

        private ReplayRequest replayOf(String tenant) {
            return new ReplayRequest(tenant, "orders", null, null, null, "search", null);
        }

        @Test
        void changes_no_message_whose_id_another_tenant_has_too() {
            rows.archive(1, own, "orders", "a", 0, rows.now());
            rows.update("UPDATE postroom_archive SET tenant = 'globex' WHERE id = ?", own);
            assertThat(bound.change(Change.DELETE, List.of(own), "x")).isEqualTo(new ActionResult(0, 0));
            assertThat(rows.live(own)).isNotNull();
        }

        @Test
        void changes_their_archived_messages() {
            UUID archived = archive("acme", 1);
            UUID foreignArchived = archive("globex", 2);
            assertThat(bound.change(Change.DELETE, List.of(archived, foreignArchived), "x"))
                    .isEqualTo(new ActionResult(1, 1));
            assertThat(operations.find(foreignArchived)).isPresent();
        }

        @Test
        void is_refused_whatever_concerns_all_tenants() {
            ErasureRequest erasure = ErasureRequest.ofIds(List.of(own));
            List<ThrowableAssert.ThrowingCallable> all = List.of(
                    () -> bound.gauges(5),
                    bound::lanes,
                    bound::storage,
                    () -> bound.audit(0, 10),
                    () -> bound.pause(Pause.Target.EVERYTHING, "x"),
                    () -> bound.resume(Pause.Target.EVERYTHING, "x"),
                    () -> bound.dryRunErase(erasure),
                    () -> bound.erase(erasure, "x", changed -> {}),
                    () -> bound.dryRunPurge(HOUR),
                    () -> bound.purge(HOUR, "x", changed -> {}),
                    () -> bound.purge(HOUR, 1, "x", changed -> {}));
            assertThat(all).allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(NotYoursException.class));
        }

        @Test
        void searches_no_errors_where_those_may_quote_what_is_hidden() {
            assertThat(bound.list(filter().text("jane").build(), 0, 10).items()).isEmpty();
            assertThat(bound.list(filter().text("ORDERS").build(), 0, 10).items())
                    .hasSize(2);
            assertThat(operations.list(filter().text("jane").build(), 0, 10).items())
                    .hasSize(2);
        }

        @Test
        void searches_errors_but_for_those_that_may_quote_what_is_hidden() {
            Operations some = operations.seeing(
                    new Sight(Tenants.ALL, ErrorSearch.unless("[tT][oO][kK][eE][nN]|(^|[^a-zA-Z])sid")));
            UUID plain = failing("{\"traceparent\":\"00\"}", "jane was refused");
            failing("{\"X-Token\":\"jane\"}", "jane was refused");
            failing(null, "Token jane was refused");
            UUID word = failing(null, "aside: jane");
            List<UUID> shown = List.of(word, plain, foreign, own);
            MessageFilter jane = filter().text("jane").build();
            Bulk all = Bulk.of(jane);

            assertThat(some.list(jane, 0, 10).items())
                    .extracting(MessageItem::id)
                    .containsExactlyElementsOf(shown);
            assertThat(some.list(jane, 0, 10).total()).isEqualTo(4);
            assertThat(some.list(filter().text("tok").build(), 0, 10).items()).isEmpty();
            assertThat(some.change(Change.RETRY, all.dryRun(true), null)).isEqualTo(new ActionResult(4, 0));
            assertThat(some.change(Change.RETRY, all, "x")).isEqualTo(new ActionResult(4, 4));
            assertThat(operations.list(jane, 0, 10).total()).isEqualTo(6);
        }

        @Test
        void searches_errors_of_archived_messages_the_same_way() {
            Operations some = operations.seeing(new Sight(Tenants.ALL, ErrorSearch.unless("token")));
            UUID shown = archive("", 1);
            UUID hidden = archive("", 2);
            rows.update("UPDATE postroom_archive SET error = 'jane' WHERE id IN (?, ?)", shown, hidden);
            setHeaders("postroom_archive", hidden, "{\"x-token\":\"jane\"}");

            MessageFilter jane =
                    filter().status(MessageStatus.PROCESSED).text("jane").build();
            assertThat(some.list(jane, 0, 10).items())
                    .extracting(MessageItem::id)
                    .containsExactly(shown);
        }

        private UUID failing(String headers, String error) {
            UUID id = dead("");
            rows.update("UPDATE postroom_message SET error = ? WHERE id = ?", error, id);
            if (headers != null) {
                setHeaders("postroom_message", id, headers);
            }
            return id;
        }

        @Test
        void headers_of_a_list_are_those_of_their_messages_that_are_not_too_long() {
            UUID archived = archive("acme", 1);
            UUID tooLong = dead("acme");
            setHeaders("postroom_message", own, "{\"a\":\"1\"}");
            setHeaders("postroom_message", foreign, "{\"a\":\"2\"}");
            setHeaders("postroom_archive", archived, "{\"a\":\"3\"}");
            setHeaders("postroom_message", tooLong, "{\"a\":\"" + "x".repeat(40_000) + "\"}");
            UUID without = dead("acme");

            assertThat(bound.headers(List.of(own, foreign, archived, tooLong, without, UUID.randomUUID())))
                    .isEqualTo(Map.of(own, Map.of("a", "1"), archived, Map.of("a", "3"), without, Map.of()));
        }
    }

    /** Within the statement: there is no type for it that all databases would take. */
    final void setHeaders(String table, UUID id, String json) {
        rows.update("UPDATE " + table + " SET headers = '" + json + "' WHERE id = ?", id);
    }

    final MessageStatus status(UUID id) {
        return operations.find(id).orElseThrow().item().status();
    }

    static MessageFilter.Builder filter() {
        return MessageFilter.builder();
    }

    static ReplayRequest replay(String topic, Integer rate) {
        return new ReplayRequest(null, topic, null, null, null, "billing", rate);
    }
}
