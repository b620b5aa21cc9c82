package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import io.micrometer.core.instrument.Tags;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R50")
class MessageTagsTest {
    private static Tags tags(MessageTags tags, String tenant, String topic) {
        return tags.key(new Stream(tenant, topic, "k"), "out").tags();
    }

    @Test
    void message_without_tenant_has_the_tag_all_the_same() {
        assertThat(tags(new MessageTags(0, 2), "", "orders"))
                .as("every series of a metric needs the same tags")
                .isEqualTo(Tags.of("destination", "out", "tenant", "none"));
    }

    @Test
    void names_that_were_first_keep_their_series_and_later_ones_share_one() {
        MessageTags tags = new MessageTags(1, 2);
        assertThat(tags(tags, "a", "orders"))
                .isEqualTo(Tags.of("destination", "out", "tenant", "a", "topic", "orders"));
        assertThat(tags(tags, "b", "bills")).isEqualTo(Tags.of("destination", "out", "tenant", "b", "topic", "other"));
        assertThat(tags(tags, "c", "orders"))
                .isEqualTo(Tags.of("destination", "out", "tenant", "other", "topic", "orders"));
    }
}
