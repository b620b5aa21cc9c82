package dev.postroom.admin.view;

import dev.postroom.operations.Pause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that is paused: everything when neither a destination nor a topic is given. */
public record PausedView(
        @Nullable String destination, @Nullable String topic, String by, String reason, Instant at) {

    public static PausedView of(Pause pause) {
        return new PausedView(
                pause.target().destination(), pause.target().topic(), pause.by(), pause.reason(), pause.since());
    }
}
