package dev.postroom.operations;

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
                throw new IllegalArgumentException("pause a destination or a topic, not both at once");
            }
        }

        public static Target destination(String name) {
            return new Target(name, null);
        }

        public static Target topic(String topic) {
            return new Target(null, topic);
        }
    }
}
