package dev.postroom.testkit.simulation;

import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.Outcome;
import dev.postroom.testkit.simulation.database.Row;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A message is not tried again sooner than its destination asked for. */
final class RetryAfterCheck implements Watcher {
    private final World world;
    /** By relay, message and destination, what was asked for last. */
    private final Map<String, Duration> asked = new HashMap<>();

    RetryAfterCheck(World world) {
        this.world = world;
    }

    @Override
    public void told(Sending sending) {
        String path = path(sending.relay.name(), sending.story, sending.destination);
        asked.remove(path);
        if (sending.told instanceof Outcome.Failed failed
                && failed.scope() == Outcome.Scope.MESSAGE
                && failed.retryAfter() != null) {
            asked.put(path, failed.retryAfter());
        }
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        MessageStory story = world.ledger.story(row.key());
        String destination = failure.cause().destination();
        Duration wanted = destination == null ? null : asked.get(path(owner, story, destination));
        if (wanted != null
                && failure.retryAfter() != null
                && failure.retryAfter().compareTo(wanted) < 0) {
            world.violated(new Violation(
                    Invariant.RETRY_AFTER,
                    story.key,
                    owner + " tries it again after " + failure.retryAfter() + ", and " + destination + " asked for "
                            + wanted));
        }
    }

    private static String path(String relay, MessageStory story, String destination) {
        return relay + " " + story.key + " " + destination;
    }
}
