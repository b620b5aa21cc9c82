package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.LaneItem;
import dev.postroom.relay.Relay;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A relay one of whose threads meets an Error, which no database and no transport is to blame for. */
@Tag("R60")
class FailingPartsTest extends RelayTestBase {
    private final Recorder recorder = new Recorder();
    private FaultyThreads faulty;

    FailingPartsTest() {
        super(H2::freshDatabase);
    }

    @BeforeEach
    void make_faulty() {
        faulty = new FaultyThreads(database.dataSource());
    }

    private Relay.Builder faultyRelay() {
        return Relay.on(faulty.dataSource())
                .retry(AT_ONCE)
                .lease(Duration.ofSeconds(1))
                .pollMin(Duration.ofMillis(5))
                .pollMax(Duration.ofMillis(50))
                .stopTimeout(Duration.ofSeconds(10));
    }

    private Set<String> owners() {
        return operations.lanes().stream()
                .map(LaneItem::owner)
                .filter(owner -> owner != null)
                .collect(Collectors.toSet());
    }

    private String owner() {
        eventually().until(() -> owners().size() == 1);
        return owners().iterator().next();
    }

    private List<Health.Code> health() {
        Health.Facts facts = new Health.Facts(operations.stats(), operations.nodes(), operations.lanes());
        return Health.of(facts, HealthThresholds.DEFAULT).reasons().stream()
                .map(Health.Reason::code)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-reader", "-settler", "-keeper", "-upkeep"})
    void begins_anew_when_a_thread_meets_an_error(String thread) {
        List<Throwable> crashes = new CopyOnWriteArrayList<>();
        if (thread.equals("-upkeep")) { // it works at the start, and then not for ten minutes
            faulty.fail(thread, 1);
        }
        Relay relay = closedAfterwards(faultyRelay()
                .deliverTo(recorder)
                .listener(new RelayListener() {
                    @Override
                    public void crashed(Throwable error, Duration pause) {
                        crashes.add(error);
                    }
                })
                .start());
        String before = thread.equals("-upkeep") ? "" : owner();
        if (!thread.equals("-upkeep")) {
            faulty.fail(thread, 1);
        }
        UUID id = publish("orders", "1", "a");
        eventually().until(() -> !crashes.isEmpty());
        eventually().until(() -> recorder.confirmed().contains("a"));
        eventually().until(() -> operations.find(id).orElseThrow().item().processedAt() != null);
        eventually().until(() -> !owner().equals(before));
        assertThat(relay.isRunning()).isTrue();
        assertThat(relay.lastRestart().orElseThrow().why()).contains("AssertionError: a bug of the ");
        eventually().untilAsserted(() -> assertThat(health()).contains(Health.Code.RELAY_RESTARTED));
    }

    @Test
    @Tag("R30")
    void does_not_run_meanwhile_and_leaves_its_lanes_to_their_lease() {
        Relay relay = closedAfterwards(
                faultyRelay().deliverTo(recorder).lease(Duration.ofSeconds(30)).start());
        String before = owner();
        faulty.fail("-reader", Integer.MAX_VALUE);
        eventually().until(() -> !relay.isRunning());
        eventually()
                .until(() -> relay.lastRestart()
                        .filter(restart -> restart.times() >= 2)
                        .isPresent()); // not yet there when it stops running
        publish("orders", "1", "a");
        assertThat(owners()).containsExactly(before);
        assertThat(recorder.sent()).isEmpty();
        assertThat(operations.lanes()).allMatch(lane -> lane.leaseUntil() != null);
    }

    @Test
    void begins_anew_when_an_outlet_meets_an_error() {
        CountDownLatch once = new CountDownLatch(1);
        Transport faultyTransport = new Transport() {
            @Override
            public void send(Delivery delivery, Consumer<Outcome> outcome) {
                recorder.send(delivery, outcome);
                if (once.getCount() > 0) {
                    once.countDown();
                    Thread.currentThread().interrupt(); // kills whoever waits on this thread next
                }
            }
        };
        Relay relay = closedAfterwards(faultyRelay().deliverTo(faultyTransport).start());
        owner();
        publish("orders", "1", "a");
        eventually().until(() -> relay.lastRestart().isPresent());
        publish("orders", "1", "b");
        eventually().until(() -> recorder.confirmed().contains("b") && relay.isRunning());
    }

    @Test
    void error_of_a_listener_stays_with_the_listener() {
        Relay relay = closedAfterwards(faultyRelay()
                .deliverTo(recorder)
                .listener(new RelayListener() {
                    @Override
                    public void delivered(StoredMessage message, String destination) {
                        throw new AssertionError("a bug of the listener");
                    }

                    @Override
                    public void read(int messages, long nanos) {
                        throw new AssertionError("another");
                    }
                })
                .start());
        publish("orders", "1", "a");
        publish("orders", "1", "b");
        eventually().until(() -> live() == 0);
        assertThat(recorder.confirmed()).containsExactly("a", "b");
        assertThat(relay.lastRestart()).isEmpty();
    }

    @Test
    void answers_to_the_engine_that_failed_do_not_reach_the_next_one() {
        List<Consumer<Outcome>> answers = new CopyOnWriteArrayList<>();
        Transport patient = new Transport() {
            @Override
            public void send(Delivery delivery, Consumer<Outcome> outcome) {
                if (Recorder.text(delivery).equals("held")) {
                    answers.add(outcome);
                } else {
                    recorder.send(delivery, outcome);
                }
            }
        };
        closedAfterwards(faultyRelay().deliverTo(patient).start());
        owner();
        UUID held = publish("orders", "1", "held");
        eventually().until(() -> answers.size() == 1);
        faulty.fail("-reader", 1);
        eventually().until(() -> answers.size() == 2);
        answers.get(0).accept(Outcome.confirmed());
        UUID later = publish("orders", "2", "later");
        eventually().until(() -> operations.find(later).orElseThrow().item().processedAt() != null);
        assertThat(operations.find(held).orElseThrow().item().processedAt()).isNull();
        answers.get(1).accept(Outcome.confirmed());
        eventually().until(() -> operations.find(held).orElseThrow().item().processedAt() != null);
    }

    @Test
    void does_not_run_while_a_transport_keeps_its_thread() {
        CountDownLatch go = new CountDownLatch(1);
        Relay relay = closedAfterwards(faultyRelay()
                .deliverTo((delivery, outcome) -> {
                    awaitQuietly(go);
                    recorder.send(delivery, outcome);
                })
                .start());
        owner();
        assertThat(relay.isRunning()).isTrue();
        publish("orders", "1", "a");
        eventually().until(() -> !relay.isRunning());
        go.countDown();
        eventually().until(relay::isRunning);
        eventually().until(() -> live() == 0);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
