package dev.postroom.admin.view;

import dev.postroom.operations.Pause;
import org.jspecify.annotations.Nullable;

/** What was paused or resumed: everything when neither a destination nor a topic is given. */
public record PauseView(
        @Nullable String destination, @Nullable String topic, boolean paused, boolean changed) {

    public static PauseView of(Pause.Target target, boolean paused, boolean changed) {
        return new PauseView(target.destination(), target.topic(), paused, changed);
    }
}
