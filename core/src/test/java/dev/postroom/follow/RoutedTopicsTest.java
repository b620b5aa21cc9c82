package dev.postroom.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Destinations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What nobody takes is named until a whole sweep has met none of it. */
@Tag("R63")
class RoutedTopicsTest {
    private final List<String> heard = new ArrayList<>();
    private final RoutedTopics topics = new RoutedTopics(
            new Routes(
                    List.of(Route.of("orders", "a")),
                    new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0, 3),
                    new Destinations(Map.of("a", 0))),
            (what, held) -> heard.add(what.topic() + (held ? " held" : " gone")));

    private void meets(String topic) {
        topics.route(topics.topic(topic), null);
    }

    @Test
    void a_topic_is_named_once_for_as_long_as_sweeps_meet_it() {
        topics.sweptAll();
        meets("lost");
        topics.sweptAll();
        meets("lost");
        topics.sweptAll();
        assertThat(heard).containsExactly("lost held");
        assertThat(topics.untaken()).containsExactly(new RoutedTopics.Untaken("lost", null));
    }

    @Test
    void a_topic_is_gone_when_a_whole_sweep_has_not_met_it() {
        meets("lost");
        meets("stays");
        topics.sweptAll();
        meets("stays");
        topics.sweptAll();
        assertThat(heard).containsExactly("lost held", "stays held", "lost gone");
        assertThat(topics.untaken()).containsExactly(new RoutedTopics.Untaken("stays", null));
    }

    @Test
    void a_replay_to_a_destination_that_is_gone_says_so() {
        topics.route(topics.topic("orders"), "b");
        assertThat(topics.untaken().get(0).why()).contains("a replay's destination 'b'");
        meets("lost");
        assertThat(topics.untaken().get(1).why()).isEqualTo("no route");
    }
}
