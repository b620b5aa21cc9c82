package dev.postroom.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.testbed.Postgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A round whose system does not do its work must give no rate. */
@Tag("R20")
class RoundTest {
    private static final int MESSAGES = 20;

    private final Round round =
            new Round(Postgres.newest().freshDatabase().dataSource(), MESSAGES, Duration.ofMillis(200));

    /** Keeps messages in memory, and says itself how many wait. */
    private static class InMemory implements Peer {
        final List<Order> waiting = new ArrayList<>();
        long left;

        @Override
        public void publish(List<Order> orders) {
            waiting.addAll(orders);
            left += orders.size();
        }

        @Override
        public void deliver(Consumer<String> handler) {
            waiting.forEach(order -> handler.accept(order.payload()));
            left = 0;
        }

        @Override
        public String backlogQuery() {
            return "SELECT " + left;
        }

        @Override
        public void close() {}
    }

    @Test
    void all_handled_and_none_left_is_a_rate() throws Exception {
        Rates rates = round.run(new InMemory());
        assertThat(rates.drained()).isPositive();
        assertThat(Rates.parse(rates.line())).isEqualTo(rates);
    }

    @Test
    void one_handled_twice_does_not_stand_for_one_that_was_not() {
        assertThatThrownBy(() -> round.run(new InMemory() {
                    @Override
                    public void deliver(Consumer<String> handler) {
                        waiting.set(7, waiting.get(8));
                        super.deliver(handler);
                    }
                }))
                .hasMessageContaining("19 were handled")
                .hasMessageContaining("must be 20");
    }

    @Test
    void one_that_is_left_in_the_table_fails() {
        assertThatThrownBy(() -> round.run(new InMemory() {
                    @Override
                    public void deliver(Consumer<String> handler) {
                        super.deliver(handler);
                        left = 1;
                    }
                }))
                .hasMessageContaining("1 messages wait");
    }
}
