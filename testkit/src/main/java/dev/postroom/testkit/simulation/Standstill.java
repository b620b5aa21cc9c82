package dev.postroom.testkit.simulation;

import dev.postroom.operations.Pause;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.database.Row;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What stays away when all other faults have ended: a destination, or a topic, at one destination or everywhere. Everything
 * else must flow meanwhile, also what is written now.
 */
final class Standstill {
    /** In which way it stays away. */
    private enum Way {
        UNAVAILABLE,
        SILENT,
        FAILING,
        PAUSED,
        TOPIC_UNAVAILABLE,
        TOPIC_PAUSED
    }

    private final World world;
    private final Way way;
    private final String destination;
    private final String topic;
    /** Where the rows that were there when it began had been recorded to have arrived. */
    private final Map<RowKey, Long> completedAtFirst = new HashMap<>();

    Standstill(World world, Dice dice) {
        this.world = world;
        this.way = dice.pick(java.util.List.of(Way.values()));
        this.destination = dice.pick(Scenario.DESTINATIONS);
        this.topic = dice.pick(Scenario.TOPICS);
    }

    void begin() {
        world.database.unsorted().forEach(row -> completedAtFirst.put(row.key(), row.completed()));
        SimulatedDestination there = world.network.destination(destination);
        switch (way) {
            case UNAVAILABLE -> there.setUnavailable(true);
            case SILENT -> there.setSilent(true);
            case FAILING -> there.setFailing(true);
            case PAUSED -> world.operators().pause(Pause.Target.destination(destination));
            case TOPIC_UNAVAILABLE -> there.setTopicUnavailable(topic, true);
            case TOPIC_PAUSED -> world.operators().pause(Pause.Target.topic(topic));
        }
        world.ledger.note("all is well but for this: " + this);
    }

    /**
     * Whether a message may wait for this, itself or behind an earlier one of its stream; also if an operator has taken that away
     * meanwhile: a relay that left it at a closed gate does not look for it before the gate opens.
     */
    boolean keeps(MessageStory story, String at) {
        return isKept(story.stream.topic(), at)
                || (story.stream.isOrdered()
                        && sharing(story)
                                .anyMatch(earlier -> earlier.key.seq() < story.key.seq()
                                        && isOwed(earlier, at)
                                        && isKept(earlier.stream.topic(), at)));
    }

    /** Also if it arrived and nobody was told, or was taken away without having arrived, or arrived from a relay that lost its lane. */
    private boolean isOwed(MessageStory story, String at) {
        Row row = world.database.find(story.key);
        boolean isOwed = row == null ? !story.arrivedAt(at) : (row.completed() & world.destinations.mask(at)) == 0;
        return isOwed || wasRecordedFromOutside(story, at);
    }

    /**
     * It had arrived before, and a relay that had lost the lane meanwhile recorded that only now: a success always counts. Whoever has the lane
     * may have left it at the closed gate by then, and its stream stays there until the gate opens.
     */
    private boolean wasRecordedFromOutside(MessageStory story, String at) {
        Long completed = completedAtFirst.get(story.key);
        String owner = world.database.owner(story.key.lane());
        return completed != null
                && (completed & world.destinations.mask(at)) == 0
                && story.sendings(at).stream()
                        .anyMatch(sending -> !sending.relay.name().equals(owner));
    }

    /** Streams whose ids are the same by chance may wait for each other. */
    private Stream<MessageStory> sharing(MessageStory story) {
        long id = world.database.streamId(story.stream);
        return world.ledger.stories().stream()
                .filter(other -> other.stream.isOrdered() && world.database.streamId(other.stream) == id);
    }

    private boolean isKept(String ofTopic, String at) {
        return switch (way) {
            case UNAVAILABLE, SILENT, FAILING, PAUSED -> at.equals(destination);
            case TOPIC_UNAVAILABLE -> at.equals(destination) && ofTopic.equals(topic);
            case TOPIC_PAUSED -> ofTopic.equals(topic);
        };
    }

    @Override
    public String toString() {
        return switch (way) {
            case TOPIC_UNAVAILABLE -> destination + " does not take " + topic;
            case TOPIC_PAUSED -> topic + " is paused";
            default -> destination + " is " + way.name().toLowerCase(java.util.Locale.ROOT);
        };
    }
}
