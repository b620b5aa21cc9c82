package dev.postroom.engine;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where a message may be handed over before the one before it in its stream is confirmed: to transports that keep the order
 * of what they are handed, if both go to the same topic of the broker. Elsewhere each waits for the one before. Immutable.
 *
 * @param topics by destination, which of the broker's topics the messages of a topic go to; destinations that keep no order
 *     are not in it
 */
public record Pipelines(Map<String, UnaryOperator<String>> topics) {
    /** Nothing keeps order. */
    public static final Pipelines NONE = new Pipelines(Map.of());

    public Pipelines {
        topics = Map.copyOf(topics);
    }

    /** The destinations that keep order. */
    public Set<String> destinations() {
        return topics.keySet();
    }

    /** The broker's topic that messages of this topic go to; null where no order is kept. */
    public @Nullable String topicAt(String destination, String topic) {
        UnaryOperator<String> topicOf = topics.get(destination);
        return topicOf == null ? null : topicOf.apply(topic);
    }
}
