package dev.postroom.testkit.simulation;

import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.Outcome;
import dev.postroom.testkit.simulation.database.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * I4: only answers about the message itself spend attempts, and unclear ones where the destination confirmed something
 * else since the one before; nothing dies but of spent attempts, a refusal, its size, or the processes it killed.
 */
final class AttemptsCheck implements Watcher {
    private final World world;

    /** Per relay and destination: how many other messages it confirmed so far. */
    private final Map<String, Integer> confirmations = new HashMap<>();

    /** Per relay, destination and message: the confirmations at its latest unclear answer. */
    private final Map<String, Integer> atUnclear = new HashMap<>();

    /** Per lane: when another relay took it over. */
    private final Map<Integer, List<Long>> takeovers = new HashMap<>();

    AttemptsCheck(World world) {
        this.world = world;
    }

    @Override
    public void told(Sending sending) {
        String path = sending.relay.name() + " " + sending.destination;
        if (!(sending.told instanceof Outcome.Failed failed)) {
            confirmations.merge(path, 1, Integer::sum);
        } else if (failed.scope() == Outcome.Scope.MESSAGE) {
            sending.story.spendable++;
        } else if (failed.scope() == Outcome.Scope.UNCLEAR) {
            int confirmed = confirmations.getOrDefault(path, 0);
            int before = atUnclear.getOrDefault(path + sending.story.key, 0);
            sending.story.spendable += confirmed > before ? 1 : 0;
            atUnclear.put(path + sending.story.key, confirmed);
        }
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        MessageStory story = world.ledger.story(row.key());
        int own = story.script.kind() == Script.Kind.TOO_LARGE ? 1 : 0;
        if (row.attempts() > story.spendable + own) {
            throw new Violation(
                    Invariant.I4,
                    story.key,
                    owner + " counts " + row.attempts() + " attempts, of which only " + story.spendable
                            + " were the message's fault");
        }
        if (failure.retryAfter() == null && !mayDie(row, story, failure)) {
            throw new Violation(Invariant.I4, story.key, owner + " makes it dead without need: " + row);
        }
    }

    @Override
    public void acquired(int lane, String owner, @Nullable String before) {
        if (before != null && !before.equals(owner)) {
            takeovers.computeIfAbsent(lane, number -> new ArrayList<>()).add(world.timeline.now());
        }
    }

    /**
     * Each owner that took the message's lane over counts a crash at most once, and the next finds that it was there too
     * often. Counted from the takeover before it was written: the reserved window reaches beyond the rows there are.
     */
    private long takeovers(MessageStory story) {
        List<Long> times = takeovers.getOrDefault(story.key.lane(), List.of());
        long after = times.stream().filter(time -> time >= story.committedAt).count();
        return after < times.size() ? after + 1 : after;
    }

    private boolean mayDie(Row row, MessageStory story, Failure failure) {
        RetryPolicy policy =
                world.routes.retry(story.stream.topic(), null, failure.cause().reason());
        int mostCrashes = world.scenario.settings().maxCrashes();
        return story.refused
                || world.refusedRows.mayDie(row.key())
                || story.script.kind() == Script.Kind.TOO_LARGE
                || (row.crashes() >= mostCrashes && (story.revived || takeovers(story) > mostCrashes))
                || row.attempts()
                        >= Math.min(policy.maxAttempts(), world.scenario.retry().maxAttempts());
    }
}
