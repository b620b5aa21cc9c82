package dev.postroom.testkit.simulation;

import dev.postroom.Stream;
import dev.postroom.operations.Change;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.MessageStory.Fate;
import dev.postroom.testkit.simulation.database.KeyedStream;
import dev.postroom.testkit.simulation.database.Row;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the stories of all messages, and what happened to relays. The first to be told, so that checks can look here. */
final class Ledger implements Watcher {
    private static final int MOST_ENTRIES = 150;

    private final Timeline timeline;
    private final @Nullable Consumer<String> trace;
    private final Map<RowKey, MessageStory> stories = new LinkedHashMap<>();
    private final Map<KeyedStream, List<MessageStory>> streams = new HashMap<>();
    private final Deque<Entry> happened = new ArrayDeque<>();
    private long fingerprint;
    private int arrivals;
    private int duplicates;
    private int dead;

    private record Entry(long at, String what) {}

    Ledger(Timeline timeline, @Nullable Consumer<String> trace) {
        this.timeline = timeline;
        this.trace = trace;
    }

    void begin(MessageStory story) {
        stories.put(story.key, story);
        streams.computeIfAbsent(KeyedStream.of(story.stream), stream -> new ArrayList<>())
                .add(story);
    }

    /** Some message that was archived and is not live, or null. */
    @Nullable
    MessageStory archived(Dice dice) {
        List<MessageStory> archived = stories.values().stream()
                .filter(story -> story.fate == Fate.PROCESSED && story.onlyDestination == null)
                .toList();
        return archived.isEmpty() ? null : dice.pick(archived);
    }

    MessageStory story(RowKey key) {
        return Objects.requireNonNull(stories.get(key), () -> "no message was written with the key " + key);
    }

    Collection<MessageStory> stories() {
        return stories.values();
    }

    /** The stories of an ordered stream, by seq. */
    List<MessageStory> stream(Stream stream) {
        return streams.getOrDefault(KeyedStream.of(stream), List.of());
    }

    /** Two runs of one seed have the same. */
    long fingerprint() {
        return fingerprint;
    }

    int arrivals() {
        return arrivals;
    }

    int duplicates() {
        return duplicates;
    }

    int dead() {
        return dead;
    }

    /** Something that concerns no message alone. */
    void note(String what) {
        if (happened.size() == MOST_ENTRIES) {
            happened.removeFirst();
        }
        happened.add(new Entry(timeline.now(), what));
        mix(what);
        trace(what);
    }

    /** Lanes come and go by the dozen: one line for those of one instant. */
    private void noteLane(String what, int lane) {
        Entry last = happened.peekLast();
        if (last != null && last.at() == timeline.now() && last.what().startsWith(what)) {
            happened.removeLast();
            note(last.what() + " " + lane);
        } else {
            note(what + " " + lane);
        }
    }

    void note(MessageStory story, String what) {
        story.log(timeline.now(), what);
        mix(what);
        if (trace != null) {
            trace(story.key.lane() + "/" + story.key.seq() + " " + what);
        }
    }

    /** Something that only whoever looks closely wants to know. */
    void trace(Object what) {
        if (trace != null) {
            trace.accept(time(timeline.now()) + " " + what);
        }
    }

    boolean isTraced() {
        return trace != null;
    }

    private void mix(String what) {
        fingerprint = (fingerprint * 31 + timeline.now()) * 31 + what.hashCode();
    }

    List<String> happened() {
        return happened.stream()
                .map(entry -> time(entry.at()) + " " + entry.what())
                .toList();
    }

    static String time(long nanos) {
        return String.format(Locale.ROOT, "%12.6f", nanos / 1e9);
    }

    @Override
    public void committed(Row row) {
        MessageStory story = story(row.key());
        story.committedAt = timeline.now();
        story.fate = Fate.LIVE;
        note(story, "committed");
    }

    @Override
    public void replayed(Row row) {
        MessageStory first = stories.values().stream()
                .filter(story -> story.key.id().equals(row.key().id()))
                .findFirst()
                .orElseThrow();
        MessageStory story = new MessageStory(row.key(), first.stream, Script.NORMAL, true);
        story.onlyDestination = row.onlyDestination();
        begin(story);
        note(story, "replayed to " + row.onlyDestination());
    }

    @Override
    public void lost(Row row) {
        MessageStory story = story(row.key());
        story.fate = Fate.LOST;
        stream(story.stream).remove(story);
        note(story, "lost with the server that had it");
    }

    @Override
    public void returned(Row row) {
        MessageStory story = story(row.key());
        story.fate = Fate.LIVE;
        story.settledRoute = -1;
        story.revived = true;
        story.returnedAt = timeline.now();
        note(story, "is back with the server that took over: " + row);
    }

    @Override
    public void reverted(Row row) {
        MessageStory story = story(row.key());
        story.operatorVersion = Math.min(story.operatorVersion, row.version());
        story.spendable += row.attempts();
        note(story, "is as it was before, on the server that took over: " + row);
    }

    @Override
    public void sent(Sending sending) {
        sending.story.sent(sending);
        note(sending.story, sending.relay.name() + " sends to " + sending.destination);
    }

    @Override
    public void arrived(Sending sending) {
        arrivals++;
        duplicates += sending.story.arrivedAt(sending.destination) ? 1 : 0;
        sending.story.arrived(sending);
        note(sending.story, "arrived at " + sending.destination + " from " + sending.relay.name());
    }

    @Override
    public void told(Sending sending) {
        MessageStory story = sending.story;
        note(story, sending.relay.name() + " is told of " + sending.destination + ": " + sending.told);
        if (sending.told instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.MESSAGE) {
            story.refused |= failed.reason().isPermanent();
        }
    }

    @Override
    public void processed(Row row, String owner) {
        MessageStory story = story(row.key());
        story.fate = Fate.PROCESSED;
        note(story, "settled by " + owner);
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        dead += failure.retryAfter() == null ? 1 : 0;
        note(story(row.key()), owner + " records over version " + failure.version() + ": " + row);
    }

    @Override
    public void suspected(Row row, Suspect suspect, String owner) {
        note(story(row.key()), owner + " suspects over version " + suspect.version() + ": " + row);
    }

    @Override
    public void changed(Row row, Change change) {
        MessageStory story = story(row.key());
        story.operatorVersion = row.version();
        switch (change) {
            case RETRY -> {
                story.retriedAt = timeline.now();
                story.spendable = 0;
                story.refused = false;
            }
            case RELEASE -> story.released = true;
            case SKIP -> story.fate = Fate.SKIPPED;
            case DELETE -> story.fate = Fate.DELETED;
            case DEAD_LETTER -> {}
        }
        note(story, "operator: " + change + ", now " + row);
    }

    @Override
    public void acquired(int lane, String owner, @Nullable String before) {
        noteLane(owner + " takes" + (before == null ? "" : " from " + before) + ", lanes", lane);
    }

    @Override
    public void released(int lane, String owner) {
        noteLane(owner + " gives back lanes", lane);
    }
}
