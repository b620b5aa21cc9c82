package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.OperationsStore.ReplayPosition;
import dev.postroom.operations.OperationsStore.ReplayStep;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R54")
class OperationsTest {
    private static final MessageFilter DEAD =
            MessageFilter.builder().status(MessageStatus.DEAD).build();

    private final Ports ports = new Ports();
    private final Operations operations = Operations.as("alice", ports.store(), ports.maintenance());
    private final List<Long> progress = new ArrayList<>();

    @Nested
    class A_reason {
        @ParameterizedTest
        @NullSource
        @ValueSource(strings = {"", "  \n"})
        void is_needed_for_every_change(String reason) {
            List<UUID> ids = List.of(UUID.randomUUID());
            ReleaseRequest stream = ReleaseRequest.of("", "42");

            assertRefused(() -> operations.change(Change.RETRY, ids, reason));
            assertRefused(() -> operations.change(Change.SKIP, Bulk.of(DEAD), reason));
            assertRefused(() -> operations.releaseStream(stream, reason));
            assertRefused(() -> operations.releaseStream(stream.only(ids), reason));
            assertRefused(() -> operations.replay(replay(), 10, reason, progress::add));
            assertRefused(() -> operations.pause(Pause.Target.EVERYTHING, reason));
            assertRefused(() -> operations.resume(Pause.Target.EVERYTHING, reason));
            assertRefused(() -> operations.purge(Duration.ofDays(1), reason, progress::add));
            assertThat(ports.called).isEmpty();
        }

        @Test
        void longer_than_500_characters_is_refused_with_its_length() {
            assertThatThrownBy(() -> operations.pause(Pause.Target.EVERYTHING, "x".repeat(501)))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("at most 500")
                    .hasMessageContaining("was 501");
        }

        @Test
        void reaches_the_audit_with_the_actor_and_the_target() {
            ports.answer("pause", args -> null);

            operations.pause(Pause.Target.topic("orders"), " wrong prices ");

            assertThat(ports.auditings).singleElement().satisfies(audit -> {
                assertThat(audit.actor()).isEqualTo("alice");
                assertThat(audit.action()).isEqualTo("pause");
                assertThat(audit.target()).isEqualTo("topic=orders");
                assertThat(audit.reason()).isEqualTo("wrong prices");
            });
        }

        private void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable change) {
            assertThatThrownBy(change).isInstanceOf(PostroomException.class).hasMessageContaining("a reason is needed");
        }
    }

    @Nested
    class A_bulk_change {
        @Test
        void goes_in_transactions_of_at_most_1000_and_tells_its_progress() {
            ports.answer("select", args -> ids(2_500));
            ports.answer("change", args -> ((List<?>) args[1]).size());

            ActionResult result = operations.change(Change.RETRY, Bulk.of(DEAD).limit(5_000), "fixed", progress::add);

            assertThat(result).isEqualTo(new ActionResult(2_500, 2_500));
            assertThat(progress).containsExactly(1_000L, 2_000L, 2_500L);
            assertThat(ports.auditings)
                    .hasSize(3)
                    .allMatch(audit -> audit.target().equals("status=dead"))
                    .allMatch(audit -> audit.id().equals(ports.auditings.get(0).id()));
            assertThat(ports.auditings).extracting(Auditing::part).containsExactly(0, 1, 2);
            assertThat(ports.auditings).extracting(Auditing::matched).containsExactly(2_500L, 0L, 0L);
        }

        @Test
        void that_the_database_breaks_off_is_audited_with_what_was_given_up() {
            ports.answer("select", args -> ids(2_500));
            List<Integer> answers = new ArrayList<>(List.of(1_000));
            ports.answer("change", args -> {
                if (answers.isEmpty()) {
                    throw new PostroomException("the database went away");
                }
                return answers.remove(0);
            });
            ports.answer("record", args -> null);

            assertThatThrownBy(
                            () -> operations.change(Change.RETRY, Bulk.of(DEAD).limit(5_000), "fixed"))
                    .hasMessage("the database went away");
            assertThat(ports.recorded).containsExactly(new Effect(0, 1_500, "", "given up: the database went away"));
            assertThat(ports.auditings).extracting(Auditing::part).containsExactly(0, 1, 1);
        }

        @Test
        void that_reaches_its_limit_says_how_many_matched() {
            ports.answer("select", args -> ids((int) args[2]));
            ports.answer("change", args -> ((List<?>) args[1]).size());
            ports.answer("count", args -> 7_000L);

            assertThat(operations.change(Change.RETRY, Bulk.of(DEAD).limit(10), "fixed"))
                    .isEqualTo(new ActionResult(7_000, 10));
        }

        @Test
        void counts_only_those_that_were_still_there() {
            ports.answer("select", args -> ids(5));
            ports.answer("change", args -> 3);

            assertThat(operations.change(Change.SKIP, Bulk.of(DEAD), "fixed")).isEqualTo(new ActionResult(5, 3));
        }

        @Test
        void as_a_dry_run_changes_nothing_and_needs_no_reason() {
            ports.answer("count", args -> 42L);

            assertThat(operations.change(Change.DELETE, Bulk.of(DEAD).dryRun(true), null))
                    .isEqualTo(new ActionResult(42, 0));
            assertThat(ports.called).containsExactly("count");
        }

        @Test
        void of_everything_must_be_meant() {
            assertThatThrownBy(() -> Bulk.of(MessageFilter.ALL))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("every message")
                    .hasMessageContaining("--all");
            assertThat(Bulk.ofEverything().filter().isEverything()).isTrue();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -1, 100_001})
        void beyond_its_limits_is_refused(int limit) {
            assertThatThrownBy(() -> Bulk.of(DEAD).limit(limit))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("1 to 100000")
                    .hasMessageContaining("was " + limit);
        }
    }

    @Nested
    class Chosen_messages {
        @Test
        void are_counted_once_each() {
            UUID id = UUID.randomUUID();
            ports.answer("count", args -> (long) ((List<?>) args[0]).size());
            ports.answer("change", args -> ((List<?>) args[1]).size());

            assertThat(operations.change(Change.RETRY, List.of(id, id), "fixed"))
                    .isEqualTo(new ActionResult(1, 1));
        }

        @Test
        void must_be_1_to_1000() {
            assertThatThrownBy(() -> operations.change(Change.RETRY, List.of(), "fixed"))
                    .hasMessageContaining("1 to 1000 message ids (were 0)");
            assertThatThrownBy(() -> operations.dryRun(Change.RETRY, ids(1_001)))
                    .hasMessageContaining("were 1001");
        }

        @Test
        void that_do_not_fit_the_audit_are_cut_off_there() {
            ports.answer("count", args -> 1_000L);
            ports.answer("change", args -> 1_000);

            operations.change(Change.RETRY, ids(1_000), "fixed");

            assertThat(ports.auditings)
                    .singleElement()
                    .satisfies(
                            audit -> assertThat(audit.target()).hasSize(2_000).endsWith("…"));
        }
    }

    @Nested
    class Pages {
        @ParameterizedTest
        @ValueSource(ints = {0, -5, 501})
        void have_1_to_500_entries(int pageSize) {
            assertThatThrownBy(() -> operations.list(MessageFilter.ALL, 0, pageSize))
                    .hasMessageContaining("1 to 500 (was " + pageSize + ")");
            assertThatThrownBy(() -> operations.audit(0, pageSize)).hasMessageContaining("1 to 500");
        }

        @Test
        void end_after_10000_entries() {
            ports.answer("list", args -> new MessagePage(List.of(), 200, 50, 0, true, true));

            assertThat(operations.list(MessageFilter.ALL, 200, 50).page()).isEqualTo(200);
            assertThatThrownBy(() -> operations.list(MessageFilter.ALL, 201, 50))
                    .hasMessageContaining("narrow the filter");
            assertThatThrownBy(() -> operations.list(MessageFilter.ALL, Integer.MAX_VALUE, 500))
                    .hasMessageContaining("narrow the filter");
        }

        @Test
        void count_from_0() {
            assertThatThrownBy(() -> operations.list(MessageFilter.ALL, -1, 50)).hasMessageContaining("from 0");
        }
    }

    @Nested
    @Tag("R28")
    class A_stream {
        @Test
        void is_released_step_by_step_until_nothing_holds_it() {
            List<Integer> steps = new ArrayList<>(List.of(1_000, 999, 7, 0)); // a relay settled one meanwhile
            ports.answer("releaseStream", args -> {
                int step = steps.remove(0);
                return new ActionResult(step, step);
            });

            assertThat(operations.releaseStream(ReleaseRequest.of("t1", "42"), "go on"))
                    .isEqualTo(new ActionResult(2_006, 2_006));
            assertThat(ports.auditings).allMatch(audit -> audit.target().equals("tenant=t1 key=42"));
        }

        @Test
        void is_not_released_as_a_whole_when_no_message_was_chosen() {
            ReleaseRequest nothing = ReleaseRequest.of("", "42").only(List.of());

            assertThatThrownBy(() -> operations.releaseStream(nothing, "go on"))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("give 1 to 1000 message ids");
            assertThat(ports.called).isEmpty();
        }

        @Test
        void is_audited_with_the_topic_that_it_was_narrowed_to() {
            ports.answer("releaseStream", args -> new ActionResult(0, 0));

            operations.releaseStream(ReleaseRequest.of("t1", "42").topic("orders"), "go on");

            assertThat(ports.auditings).allMatch(audit -> audit.target().equals("tenant=t1 key=42 topic=orders"));
        }
    }

    @Nested
    @Tag("R37")
    class A_replay {
        @Test
        void goes_on_where_the_step_before_ended_up_to_its_limit() {
            List<ReplayPosition> from = new ArrayList<>();
            ports.answer("countReplay", args -> 5_000L);
            ports.answer("replay", args -> {
                ReplayPosition position = (ReplayPosition) args[1];
                int limit = (int) args[2];
                from.add(position);
                return new ReplayStep(
                        limit, 0, new ReplayPosition(position.afterSeq() + limit, position.sent() + limit));
            });

            assertThat(operations.replay(replay(), 1_500, "rebuild", progress::add))
                    .isEqualTo(new ActionResult(5_000, 1_500));
            assertThat(from).containsExactly(ReplayPosition.START, new ReplayPosition(999, 1_000));
            assertThat(progress).containsExactly(1_000L, 1_500L);
        }

        @Test
        void ends_when_nothing_is_left() {
            ports.answer("countReplay", args -> 3L);
            ports.answer("replay", args -> new ReplayStep(3, 0, null));

            assertThat(operations.replay(replay(), 1_000, "rebuild", progress::add))
                    .isEqualTo(new ActionResult(3, 3));
        }

        @Test
        void tells_how_many_were_left_alone_and_counts_exactly_when_it_has_seen_all() {
            ports.answer("countReplay", args -> (long) Bulk.MOST);
            List<ReplayStep> steps = new ArrayList<>(
                    List.of(new ReplayStep(600, 400, new ReplayPosition(1_000, 600)), new ReplayStep(1, 2, null)));
            ports.answer("replay", args -> steps.remove(0));

            assertThat(operations.replay(replay(), Integer.MAX_VALUE, "rebuild", progress::add))
                    .isEqualTo(new ActionResult(1_003, true, 601, 402));
        }

        @Test
        void that_its_limit_ended_does_not_pass_off_what_was_counted_as_all() {
            ports.answer("countReplay", args -> (long) Bulk.MOST);
            ports.answer("replay", args -> new ReplayStep(10, 0, new ReplayPosition(10, 10)));

            ActionResult result = operations.replay(replay(), 10, "rebuild", progress::add);
            assertThat(result).isEqualTo(new ActionResult(Bulk.MOST, false, 10, 0));
            assertThat(result.matchedInWords()).isEqualTo("at least 100,000");
        }

        @Test
        @Tag("R61")
        void
                of_a_route_is_refused_where_the_routing_in_force_has_none_without_the_destination_or_too_many_topics_were_delivered() {
            Instant then = Instant.parse("2026-03-01T00:00:00Z");
            RoutingText text = new RoutingText("orders.* -> audit (block)");
            RoutingItem inForce = new RoutingItem(text.fingerprint(), text, then, then, null, 64);
            ports.answer("routings", args -> List.of(inForce));
            assertThatThrownBy(() -> operations.missedTopics("orders", "audit", null, then, then.plusSeconds(1)))
                    .hasMessageContaining("no route for 'orders': have [orders.*]");
            assertThatThrownBy(() -> operations.missedTopics("orders.*", "billing", null, then, then.plusSeconds(1)))
                    .as("after a rollback")
                    .hasMessageContaining("'orders.*' does not go to 'billing' by the routing in force");
            ports.answer("archivedTopics", args -> Collections.nCopies((int) args[3], "orders.x"));
            assertThatThrownBy(() -> operations.missedTopics("orders.*", "audit", null, then, then.plusSeconds(1)))
                    .hasMessageContaining("replay shorter times");
        }

        @Test
        void as_a_dry_run_only_counts() {
            ports.answer("countReplay", args -> 3L);

            assertThat(operations.dryRunReplay(replay())).isEqualTo(new ActionResult(3, 0));
            assertThat(ports.called).containsExactly("countReplay");
        }
    }

    @Nested
    @Tag("R34")
    class A_purge {
        @Test
        void goes_on_until_nothing_is_left_and_is_audited_once() {
            List<Long> steps = new ArrayList<>(List.of(5_000L, 12L, 0L));
            List<Long> attempts = new ArrayList<>(List.of(5_000L, 1L, 0L));
            List<Long> keys = new ArrayList<>(List.of(5_000L, 1L, 0L));
            ports.answer("purgeArchive", args -> steps.remove(0));
            ports.answer("purgeAttempts", args -> attempts.remove(0));
            ports.answer("purgeDedup", args -> keys.remove(0));
            ports.answer("record", args -> null);

            assertThat(operations.purge(Duration.ofDays(7), "disk is full", progress::add))
                    .isEqualTo(new ActionResult(5_012, 5_012));
            assertThat(progress).startsWith(5_000L, 5_012L);
            assertThat(attempts).isEmpty();
            assertThat(keys).isEmpty();
            assertThat(ports.recorded).containsExactly(new Effect(5_012, 0, "5012 archived", "5012 removed"));
        }

        @Test
        void that_fails_half_way_is_audited_for_what_went() {
            List<Long> steps = new ArrayList<>(List.of(5_000L));
            ports.answer("purgeArchive", args -> {
                if (steps.isEmpty()) {
                    throw new PostroomException("the database went away");
                }
                return steps.remove(0);
            });
            ports.answer("record", args -> null);

            assertThatThrownBy(() -> operations.purge(Duration.ofDays(7), "disk is full", progress::add))
                    .hasMessage("the database went away");
            assertThat(ports.recorded).containsExactly(new Effect(5_000, 0, "5000 archived", "5000 removed"));
        }

        @Test
        void never_touches_the_audit_or_the_inbox() {
            ports.answer("purgeArchive", args -> 0L);
            ports.answer("purgeAttempts", args -> 0L);
            ports.answer("purgeDedup", args -> 0L);
            ports.answer("record", args -> null);

            operations.purge(Duration.ofDays(7), "disk is full", progress::add);

            assertThat(ports.called).doesNotContain("purgeAudit", "purgeInbox");
        }
    }

    @Test
    void whoever_operates_needs_a_name() {
        assertThatThrownBy(() -> Operations.as(" ", ports.store(), ports.maintenance()))
                .isInstanceOf(PostroomException.class);
    }

    private static ReplayRequest replay() {
        return new ReplayRequest(null, "orders", null, null, null, "billing", null);
    }

    private static List<UUID> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> new UUID(1, i)).toList();
    }

    /** Answers by the name of the method; what nobody gave an answer for must not be called. */
    private static final class Ports {
        private final Map<String, Function<Object[], Object>> answers = new ConcurrentHashMap<>();
        private final List<String> called = Collections.synchronizedList(new ArrayList<>());
        private final List<Auditing> auditings = Collections.synchronizedList(new ArrayList<>());
        private final List<Effect> recorded = Collections.synchronizedList(new ArrayList<>());

        void answer(String method, Function<Object[], Object> answer) {
            answers.put(method, answer);
        }

        OperationsStore store() {
            return proxy(OperationsStore.class);
        }

        Maintenance maintenance() {
            return proxy(Maintenance.class);
        }

        private <T> T proxy(Class<T> port) {
            return port.cast(Proxy.newProxyInstance(
                    port.getClassLoader(),
                    new Class<?>[] {port},
                    (proxy, method, args) -> call(method.getName(), args)));
        }

        private Object call(String method, Object[] args) {
            called.add(method);
            for (Object arg : args == null ? new Object[0] : args) {
                if (arg instanceof Auditing auditing) {
                    auditings.add(auditing);
                }
            }
            if (method.equals("record")) {
                recorded.add((Effect) args[1]);
            }
            Function<Object[], Object> answer = answers.get(method);
            if (answer == null) {
                throw new AssertionError("nobody expected a call of " + method);
            }
            return answer.apply(args);
        }
    }
}
