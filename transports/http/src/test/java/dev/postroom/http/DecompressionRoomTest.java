package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class DecompressionRoomTest {
    private final Deque<Runnable> workers = new ArrayDeque<>();
    private final DecompressionRoom room = new DecompressionRoom(100, workers::add);
    private final List<String> begun = new ArrayList<>();

    private static Exchange exchange() {
        return new Exchange(Sending.delivery("x"), outcome -> {}, "target", new Exchange.Owner() {
            @Override
            public void succeeded(Exchange exchange) {}

            @Override
            public void ended(Exchange exchange) {}
        });
    }

    private Exchange enter(String name, int bytes) {
        Exchange exchange = exchange();
        room.enter(exchange, bytes, () -> begun.add(name));
        return exchange;
    }

    private void work() {
        while (!workers.isEmpty()) {
            workers.remove().run();
        }
    }

    @Test
    void what_does_not_fit_waits_in_order_until_others_have_left() {
        Exchange first = enter("first", 60);
        Exchange second = enter("second", 40);
        enter("third", 70);
        enter("fourth", 10);
        assertThat(begun).containsExactly("first", "second");

        room.leave(second);
        work();
        assertThat(begun).hasSize(2);
        room.leave(first);
        work();
        assertThat(begun).containsExactly("first", "second", "third", "fourth");
    }

    @Test
    void what_is_larger_than_the_room_has_it_alone() {
        Exchange small = enter("small", 1);
        Exchange large = enter("large", 500);
        enter("last", 1);
        assertThat(begun).containsExactly("small");
        room.leave(small);
        work();
        assertThat(begun).containsExactly("small", "large");
        room.leave(large);
        work();
        assertThat(begun).containsExactly("small", "large", "last");
    }

    @Test
    void leaving_twice_or_without_having_entered_frees_nothing() {
        Exchange first = enter("first", 100);
        enter("second", 100);
        room.leave(exchange());
        work();
        assertThat(begun).containsExactly("first");
        room.leave(first);
        room.leave(first);
        work();
        enter("third", 1);
        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void closing_meanwhile_is_no_error() {
        DecompressionRoom closed = new DecompressionRoom(1, work -> {
            throw new RejectedExecutionException();
        });
        Exchange first = exchange();
        closed.enter(first, 1, () -> first.end(new IllegalStateException("done")));
        closed.enter(exchange(), 1, () -> begun.add("second"));
        closed.leave(first);
        assertThat(begun).isEmpty();
    }
}
