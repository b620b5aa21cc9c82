package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R55")
class TurnsTest {
    private final Turns turns = new Turns(1, 4);
    private final List<String> came = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    private Turn ask(String client) {
        Turn turn = turns.ask(client);
        turn.whenDecided(() -> (turn.isGranted() ? came : refused).add(client));
        return turn;
    }

    @Test
    void next_turn_is_that_of_another_client_however_many_one_has_waiting() {
        Turn first = ask("greedy");
        Turn second = ask("greedy");
        Turn third = ask("greedy");
        Turn modest = ask("modest");
        first.end();
        second.end();
        assertThat(came).containsExactly("greedy", "greedy", "modest");
        modest.end();
        assertThat(third.isGranted()).isTrue();
    }

    @Test
    void turn_ends_once_and_lets_one_in() {
        Turn first = ask("a");
        ask("b");
        Turn last = ask("c");
        first.end();
        first.end();
        assertThat(came).containsExactly("a", "b");
        assertThat(last.isGranted()).isFalse();
    }

    @Test
    void who_gives_up_takes_nobodys_turn_and_leaves_none_behind() {
        Turn first = ask("a");
        Turn impatient = ask("b");
        assertThat(impatient.giveUp()).isTrue();
        impatient.end();
        assertThat(ask("c").isGranted()).isFalse();
        first.end();
        assertThat(came).containsExactly("a", "c");
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void turn_that_has_come_cannot_be_given_up_and_goes_on_to_the_next() {
        Turn first = ask("a");
        Turn gone = ask("b");
        ask("c");
        first.end();
        assertThat(gone.giveUp()).isFalse();
        gone.end();
        assertThat(came).containsExactly("a", "b", "c");
    }

    @Test
    void last_of_the_longest_line_is_refused_when_too_many_wait() {
        Turn first = ask("greedy");
        for (int i = 0; i < 4; i++) {
            ask("greedy");
        }
        Turn modest = ask("modest");
        ask("other");
        assertThat(refused).containsExactly("greedy", "greedy");
        assertThat(modest.isWaiting()).isTrue();
        assertThat(turns.waiting()).isEqualTo(4);
        first.end();
        modest.end();
        assertThat(came).containsExactly("greedy", "greedy");
    }

    @Test
    void who_asks_for_most_is_refused_when_too_many_wait() {
        ask("at work");
        ask("a");
        ask("greedy");
        ask("greedy");
        ask("b");
        assertThat(ask("greedy").isWaiting()).isFalse();
        assertThat(refused).containsExactly("greedy");
    }

    @Test
    void newcomer_is_refused_when_too_many_wait_and_nobody_has_more_than_he() {
        for (int i = 0; i < 5; i++) {
            ask("client " + i);
        }
        Turn late = ask("late");
        assertThat(late.isWaiting()).isFalse();
        assertThat(late.isGranted()).isFalse();
        late.end();
        assertThat(refused).containsExactly("late");
        assertThat(turns.waiting()).isEqualTo(4);
    }
}
