package dev.postroom.micrometer;

import dev.postroom.Stream;
import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which tags a message's counters have. Whoever writes messages chooses topics and tenants, so only the first few of each get
 * a time series of their own: a flood of names must not become a flood of series. Thread-safe.
 */
final class MessageTags {
    static final String OTHER = "other";
    private static final String NONE = "none";

    private final Names topics;
    private final Names tenants;

    /** The most of each to tell apart; 0 for no such tag. */
    MessageTags(int mostTopics, int mostTenants) {
        this.topics = new Names(mostTopics);
        this.tenants = new Names(mostTenants);
    }

    /** Whether the destination alone decides the tags. */
    boolean areByDestinationOnly() {
        return topics.most == 0 && tenants.most == 0;
    }

    /** A key under which everything with the same tags is counted. */
    Key key(Stream stream, String destination) {
        return new Key(destination, topics.of(stream.topic()), tenants.of(stream.tenant()));
    }

    Key key(String destination) {
        return new Key(destination, "", "");
    }

    /** Empty for a tag that is not wanted. */
    record Key(String destination, String topic, String tenant) {
        Tags tags() {
            Tags tags = Tags.of("destination", destination);
            tags = topic.isEmpty() ? tags : tags.and("topic", topic);
            return tenant.isEmpty() ? tags : tags.and("tenant", tenant);
        }
    }

    private static final class Names {
        private final int most;
        private final Set<String> known = ConcurrentHashMap.newKeySet();

        Names(int most) {
            this.most = most;
        }

        String of(String name) {
            if (most == 0) {
                return "";
            }
            String shown = name.isEmpty() ? NONE : name;
            if (known.contains(shown)) {
                return shown;
            }
            synchronized (known) {
                if (known.size() < most) {
                    known.add(shown);
                }
                return known.contains(shown) ? shown : OTHER;
            }
        }
    }
}
