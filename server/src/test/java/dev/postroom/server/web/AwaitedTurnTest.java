package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Time-outs and turns at the same moment, which no real server lets happen when a test wants it. */
@Tag("R55")
class AwaitedTurnTest {
    private final AtomicInteger dispatched = new AtomicInteger();
    private final AsyncContext async = (AsyncContext) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, given) -> {
                if (method.getName().equals("dispatch")) {
                    dispatched.incrementAndGet();
                }
                return null;
            });

    private final Turns turns = new Turns(1, 10);
    private final Turn atWork = turns.ask("a");
    private final Turn turn = turns.ask("b");
    private final AwaitedTurn awaited = new AwaitedTurn(turn, async);

    @Test
    void request_goes_on_once_when_its_turn_is_granted() {
        awaited.begin(Duration.ofSeconds(5));
        assertThat(dispatched).hasValue(0);
        atWork.end();
        assertThat(dispatched).hasValue(1);
        assertThat(turn.isGranted()).isTrue();
    }

    @Test
    void request_goes_on_without_its_turn_after_too_long_and_only_once() {
        awaited.begin(Duration.ofSeconds(5));
        awaited.onTimeout(new AsyncEvent(async));
        atWork.end();
        assertThat(dispatched).hasValue(1);
        assertThat(turn.isGranted()).isFalse();
    }

    /** Nobody has called back yet, as when another thread is about to. */
    @Test
    void request_whose_turn_is_granted_while_it_times_out_goes_on_at_once_and_only_once() {
        atWork.end();
        awaited.onTimeout(new AsyncEvent(async));
        assertThat(dispatched).as("before the server takes it for a fault").hasValue(1);
        assertThat(turn.isGranted()).isTrue();
        awaited.begin(Duration.ofSeconds(5));
        assertThat(dispatched).hasValue(1);
    }

    @Test
    void turn_of_a_request_that_is_gone_goes_to_the_next() {
        awaited.begin(Duration.ofSeconds(5));
        Turn next = turns.ask("c");
        awaited.onComplete(new AsyncEvent(async));
        atWork.end();
        assertThat(next.isGranted()).isTrue();
        assertThat(dispatched).hasValue(0);
    }
}
