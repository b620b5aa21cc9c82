package dev.postroom.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R54")
class MessageFilterTest {

    @Test
    void without_conditions_it_is_everything() {
        assertThat(MessageFilter.ALL.isEverything()).isTrue();
        assertThat(MessageFilter.ALL.describe()).isEqualTo("everything");
        assertThat(MessageFilter.builder().tenant("").build().isEverything()).isFalse();
    }

    @Test
    void every_condition_is_described() {
        MessageFilter filter = MessageFilter.builder()
                .status(MessageStatus.IN_FLIGHT)
                .tenant("t1")
                .topic("orders")
                .key("42")
                .type("created")
                .reason(FailureReason.TIMEOUT)
                .minAttempts(3)
                .hasError(true)
                .createdAfter(Instant.EPOCH)
                .createdBefore(Instant.EPOCH.plusSeconds(1))
                .staleFor(Duration.ofMinutes(1))
                .text("reset")
                .build();

        assertThat(filter.describe())
                .isEqualTo("status=in-flight tenant=t1 topic=orders key=42 type=created reason=TIMEOUT minAttempts=3"
                        + " hasError=true createdAfter=1970-01-01T00:00:00Z createdBefore=1970-01-01T00:00:01Z"
                        + " staleSeconds=60 q=reset");
    }

    @Test
    void values_that_make_no_sense_are_refused() {
        assertRefused(MessageFilter.builder().minAttempts(-1), "minAttempts");
        assertRefused(MessageFilter.builder().staleFor(Duration.ofSeconds(-1)), "staleSeconds");
        assertRefused(MessageFilter.builder().text(" "), "1 to 200");
        assertRefused(MessageFilter.builder().text("x".repeat(201)), "was 201");
        assertRefused(MessageFilter.builder().status(MessageStatus.PROCESSED).staleFor(Duration.ZERO), "staleSeconds");
    }

    private static void assertRefused(MessageFilter.Builder builder, String why) {
        assertThatThrownBy(builder::build).isInstanceOf(PostroomException.class).hasMessageContaining(why);
    }
}
