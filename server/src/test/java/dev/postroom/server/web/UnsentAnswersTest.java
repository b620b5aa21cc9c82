package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.AsyncContext;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R55")
class UnsentAnswersTest {
    private final UnsentAnswers unsent = new UnsentAnswers(100);

    private AnswerWriter waiting(int bytes) {
        AsyncContext nobody = (AsyncContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncContext.class}, (proxy, method, given) -> null);
        AnswerWriter answer = new AnswerWriter(nobody, new byte[bytes], unsent);
        unsent.add(answer);
        return answer;
    }

    @Test
    void eldest_is_given_up_when_there_is_no_room() {
        AnswerWriter eldest = waiting(40);
        AnswerWriter next = waiting(40);
        waiting(40);
        assertThat(unsent.bytes()).isEqualTo(80);
        unsent.remove(eldest);
        assertThat(unsent.bytes()).as("it was gone").isEqualTo(80);
        unsent.remove(next);
        assertThat(unsent.bytes()).isEqualTo(40);
    }

    @Test
    void newest_stays_however_long_it_is() {
        waiting(40);
        AnswerWriter longest = waiting(1_000);
        assertThat(unsent.bytes()).isEqualTo(1_000);
        unsent.remove(longest);
        assertThat(unsent.bytes()).isZero();
    }
}
