package dev.postroom.micrometer;

import dev.postroom.FailureReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Counts messages with the same tags. Made once and only added to, so that a message costs no look-up in the registry. */
final class MessageCounters {
    private final Counter published;
    private final Map<FailureReason, Counter> failed = new EnumMap<>(FailureReason.class);
    private final Map<FailureReason, Counter> dead = new EnumMap<>(FailureReason.class);

    /** All begin at 0 now: the first failure of its kind is a rise then, which an alert sees. */
    MessageCounters(Meters meters, Tags tags) {
        published = meters.counter("postroom.published", "Deliveries that their destination confirmed", tags);
        for (FailureReason reason : FailureReason.values()) {
            Tags why = tags.and("reason", reason.name());
            failed.put(reason, meters.counter("postroom.failed", "Deliveries that failed", why));
            dead.put(reason, meters.counter("postroom.dead.letters", "Messages that died", why));
        }
    }

    void published() {
        published.increment();
    }

    void failed(FailureReason reason, boolean forGood) {
        Objects.requireNonNull(failed.get(reason)).increment();
        if (forGood) {
            Objects.requireNonNull(dead.get(reason)).increment();
        }
    }
}
