package dev.postroom.server.demo;

import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import java.time.Duration;

/**
 * A destination that does not answer from the beginning. After a while somebody pauses it, as one does at night; when the
 * operator who looks at the page resumes it, it has come back. For one thread.
 */
final class Partner {
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final Receiver receiver;
    private final Operations operations;
    private final long begun = System.nanoTime();
    private final Pause.Target target;
    private boolean paused;

    Partner(Receiver receiver, Operations operations) {
        this.receiver = receiver;
        this.operations = operations;
        this.target = Pause.Target.destination(receiver.name());
    }

    void look() {
        if (!paused && System.nanoTime() - begun > PATIENCE.toNanos()) {
            operations.pause(target, "the partner does not answer: resume it, and it has come back");
            paused = true;
        } else if (paused && receiver.isDown() && !isPaused()) {
            receiver.recover();
        }
    }

    private boolean isPaused() {
        return operations.pauses().stream().anyMatch(pause -> pause.target().equals(target));
    }
}
