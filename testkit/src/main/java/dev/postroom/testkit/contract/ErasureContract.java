package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.Published;
import dev.postroom.operations.ErasureRequest;
import dev.postroom.operations.ErasureResult;
import dev.postroom.operations.ErasureResult.Places;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One person's data goes from every place, and from nowhere else. */
@Tag("R76")
public abstract class ErasureContract extends StoreContract {
    private static final String PERSON = "ada@example.org";
    private static final List<String> PLACES = List.of("message", "archive", "attempt", "dedup", "inbox");

    @Test
    void everything_with_a_key_is_erased_from_every_place() {
        TestRelay relay = relay("r");
        Published delivered = publish(person("orders").idempotencyKey("o1"));
        relay.succeed(read(delivered));
        Published failing = publish(person("orders"));
        relay.fail(read(failing), Duration.ofHours(1));
        publish(person("invoices").deliverAfter(Duration.ofHours(1)));
        execute(
                "INSERT INTO postroom_inbox (consumer, message_id) VALUES ('billing', ?)",
                delivered.id().toString());
        somebodyElse(relay);
        ErasureRequest request = ErasureRequest.ofKey(null, PERSON);

        Places places = new Places(2, 1, 1, 1, 1);
        assertThat(operator().dryRunErase(request)).isEqualTo(new ErasureResult(3, 0, places));
        assertThat(PLACES).extracting(this::rows).containsExactly(3L, 2L, 2L, 2L, 2L);
        assertThat(operator().erase(request, "ticket 7", erased -> {})).isEqualTo(new ErasureResult(3, 3, places));

        assertThat(PLACES).extracting(this::rows).containsExactly(1L, 1L, 1L, 1L, 1L);
        assertThat(operator().dryRunErase(request)).isEqualTo(new ErasureResult(0, 0, new Places(0, 0, 0, 0, 0)));
        assertThat(operator().erase(request, "ticket 7", erased -> {}).changed())
                .isZero();
    }

    /** Who is in every place, too. */
    private void somebodyElse(TestRelay relay) {
        Published delivered = publish(Message.to("orders").key("bob").idempotencyKey("b1"));
        relay.succeed(read(delivered));
        Published failing = publish(Message.to("orders").key("bob"));
        relay.fail(read(failing), Duration.ofHours(1));
        execute(
                "INSERT INTO postroom_inbox (consumer, message_id) VALUES ('shipping', ?)",
                delivered.id().toString());
    }

    @Test
    void key_is_a_persons_within_its_tenant_only() {
        publish(person("orders"));
        publish(person("orders").tenant("acme"));
        publish(person("orders").tenant("globex"));

        operator().erase(ErasureRequest.ofKey("acme", PERSON), "x", erased -> {});

        assertThat(count("postroom_message")).isEqualTo(2);
        assertThat(value("SELECT count(*) FROM postroom_message WHERE tenant = 'acme'"))
                .isEqualTo("0");
        operator().erase(ErasureRequest.ofKey(null, PERSON), "x", erased -> {});
        assertThat(value("SELECT tenant FROM postroom_message")).isEqualTo("globex");
    }

    @Test
    void chosen_messages_are_erased_in_whatever_state_and_also_what_is_left_of_others() {
        TestRelay relay = relay("r");
        Published dead = publish(person("orders").tenant("acme").idempotencyKey("i"));
        relay.bury(read(dead));
        Published pending = publish(person("orders"));
        UUID gone = UUID.randomUUID();
        execute("INSERT INTO postroom_inbox (consumer, message_id) VALUES ('billing', ?)", gone.toString());

        ErasureResult result = operator()
                .erase(ErasureRequest.ofIds(List.of(dead.id(), pending.id(), gone)), "ticket 7", erased -> {});

        assertThat(result).isEqualTo(new ErasureResult(2, 2, new Places(2, 0, 1, 1, 1)));
        assertThat(PLACES).extracting(this::rows).containsOnly(0L);
    }

    @Test
    void message_that_is_sent_again_goes_with_its_archive_entry() {
        Published delivered = publish(person("orders"));
        relay("r").succeed(read(delivered));
        operator().replay(new ReplayRequest(null, "orders", null, null, null, "kafka", null), 10, "x", n -> {});
        assertThat(count("postroom_message")).isEqualTo(1);

        operator().erase(ErasureRequest.ofKey(null, PERSON), "ticket 7", erased -> {});

        assertThat(PLACES).extracting(this::rows).containsOnly(0L);
    }

    @Test
    void outcome_that_comes_after_the_erasure_writes_nothing_back() {
        TestRelay relay = relay("r");
        StoredMessage sent = read(publish(person("orders")));
        StoredMessage failed = read(publish(person("invoices")));
        StoredMessage suspect = read(publish(person("payments")));

        operator().erase(ErasureRequest.ofKey(null, PERSON), "ticket 7", erased -> {});
        relay.succeed(sent);
        relay.fail(failed, Duration.ZERO);
        relay.bury(suspect);

        assertThat(PLACES).extracting(this::rows).containsOnly(0L);
    }

    @Test
    void audit_says_which_messages_how_many_and_why_but_not_whose() {
        Published published = publish(person("orders"));
        relay("r").bury(read(published));

        operator().erase(ErasureRequest.ofKey(null, PERSON), "ticket 7", erased -> {});

        assertThat(operator().audit(0, 10)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("erase");
            assertThat(entry.target()).isEqualTo(published.id().toString());
            assertThat(entry.reason()).isEqualTo("ticket 7");
            assertThat(entry.changed()).isEqualTo(1);
            assertThat(entry.oldState()).isEqualTo("1 dead");
            assertThat(entry.newState()).isEqualTo("1 erased");
            assertThat(entry.toString()).doesNotContain(PERSON);
        });
    }

    @Test
    void more_than_a_thousand_go_in_several_transactions_and_are_one_entry() {
        try (Tx tx = begin()) {
            tx.publish(IntStream.range(0, 1_100).mapToObj(i -> person("orders")).toList());
            tx.commit();
        }

        assertThat(operator()
                        .erase(ErasureRequest.ofKey(null, PERSON), "x", erased -> {})
                        .changed())
                .isEqualTo(1_100);
        assertThat(count("postroom_message")).isZero();
        assertThat(operator().audit(0, 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.changed()).isEqualTo(1_100));
    }

    @Test
    void erasure_needs_a_reason_and_a_key_or_ids() {
        assertThatThrownBy(() -> operator().erase(ErasureRequest.ofKey(null, PERSON), " ", erased -> {}))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("a reason is needed");
        assertThatThrownBy(() -> ErasureRequest.ofIds(List.of()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("either a key or message ids");
    }

    private static Message person(String topic) {
        return Message.to(topic).key(PERSON);
    }

    private long rows(String place) {
        return count("postroom_" + place);
    }
}
