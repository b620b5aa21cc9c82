package dev.postroom.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R60")
class GuardedTracingTest {
    private static Tracing throwing(Error error) {
        return Tracing.guarded(new Tracing() {
            @Override
            public Map<String, String> publishing(Message message) {
                throw error;
            }
        });
    }

    private static final Message MESSAGE = Message.to("orders").text("text/plain", "a");

    @Test
    void error_of_the_tracing_harms_no_message() {
        assertThat(throwing(new AssertionError("a bug")).publishing(MESSAGE)).isEmpty();
        assertThat(throwing(new NoClassDefFoundError("a.b.C")).publishing(MESSAGE))
                .isEmpty();
    }

    @Test
    void want_of_memory_is_nobodys_bug_and_goes_on() {
        assertThatThrownBy(() -> throwing(new OutOfMemoryError("heap")).publishing(MESSAGE))
                .isInstanceOf(OutOfMemoryError.class);
    }
}
