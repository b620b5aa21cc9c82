package dev.postroom.testkit.simulation;

import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.Outcome;
import dev.postroom.testkit.simulation.database.Row;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A destination that fails everything is away, whatever it says about each message: no message dies of attempts of which
 * all were spent while others failed there too and none arrived.
 */
final class FailingDestinationCheck implements Watcher {
    /** From so many streams on it is the destination, not the messages. */
    private static final int STREAMS = 3;

    private final World world;
    /** By relay and destination: messages that failed there since one was confirmed. */
    private final Map<String, Deque<MessageStory>> failed = new HashMap<>();
    /** How many streams were failing when this message failed the last time. */
    private final Map<String, Integer> streamsAtLast = new HashMap<>();

    FailingDestinationCheck(World world) {
        this.world = world;
    }

    @Override
    public void told(Sending sending) {
        Deque<MessageStory> here =
                failed.computeIfAbsent(sending.relay.name() + " " + sending.destination, path -> new ArrayDeque<>());
        if (sending.isConfirmed()) {
            here.clear();
        } else if (sending.told instanceof Outcome.Failed told
                && told.scope() == Outcome.Scope.MESSAGE
                && !told.reason().isPermanent()
                && world.network.destination(sending.destination).isFailing()) {
            here.add(sending.story);
            streamsAtLast.put(at(sending.relay.name(), sending.destination, sending.story), streams(here));
        }
    }

    private static String at(String relay, String destination, MessageStory story) {
        return relay + " " + destination + " " + story.key;
    }

    /** Two streams that share an id by chance are one to a relay. */
    private int streams(Deque<MessageStory> stories) {
        Set<Object> streams = new HashSet<>();
        stories.forEach(one -> streams.add(one.stream.isOrdered() ? world.database.streamId(one.stream) : one.key));
        return streams.size();
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        MessageStory story = world.ledger.story(row.key());
        String destination = failure.cause().destination();
        if (failure.retryAfter() != null || destination == null || !diesOfAttempts(row, story)) {
            return;
        }
        Deque<MessageStory> here = failed.getOrDefault(owner + " " + destination, new ArrayDeque<>());
        long own = here.stream().filter(one -> one == story).count();
        int streams = streamsAtLast.getOrDefault(at(owner, destination, story), 0);
        if (own >= row.attempts() && streams >= STREAMS) {
            world.violated(new Violation(
                    Invariant.OUTAGE_KILLS_NOTHING,
                    story.key,
                    owner + " makes it dead although " + destination + " failed " + here.size() + " messages of "
                            + streams + " streams and confirmed none"));
        }
    }

    private boolean diesOfAttempts(Row row, MessageStory story) {
        return !story.refused
                && story.script.kind() != Script.Kind.TOO_LARGE
                && row.crashes() < world.scenario.settings().maxCrashes();
    }

    /** What an operator brings back begins anew. */
    @Override
    public void changed(Row row, dev.postroom.operations.Change change) {
        @Nullable MessageStory story = world.ledger.story(row.key());
        failed.values().forEach(stories -> stories.removeIf(one -> one == story));
    }
}
