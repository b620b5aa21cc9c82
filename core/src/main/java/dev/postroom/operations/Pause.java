package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that an operator paused. */
public record Pause(Target target, Instant since, String by, String reason) {

    /** What is paused: everything when both are null; at most one of them is given. */
    public record Target(
            @Nullable String destination, @Nullable String topic) {
        public static final Target EVERYTHING = new Target(null, null);

        public Target {
            if (destination != null && topic != null) {
                throw new PostroomException("pause a destination or a topic, not both at once");
            }
            if ((destination != null && destination.isBlank()) || (topic != null && topic.isBlank())) {
                throw new PostroomException("a blank name pauses nothing: leave it out to pause everything");
            }
        }

        /** For people and the audit: {@code everything}, {@code destination=audit}, {@code topic=orders}. */
        public String describe() {
            if (destination != null) {
                return "destination=" + destination;
            }
            return topic == null ? "everything" : "topic=" + topic;
        }

        public static Target destination(String name) {
            return new Target(name, null);
        }

        public static Target topic(String topic) {
            return new Target(null, topic);
        }
    }
}
