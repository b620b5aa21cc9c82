package dev.postroom.testkit.simulation;

import dev.postroom.Stream;
import dev.postroom.spi.RowKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that happened to one message, as seen from outside the relays. */
final class MessageStory {
    private static final int MOST_ENTRIES = 120;

    final RowKey key;
    final Stream stream;
    final Script script;
    final boolean delayed;

    /** Of a replay, the only destination that it goes to. */
    @Nullable
    String onlyDestination;

    /** When it was committed, or -1. */
    long committedAt = -1;

    Fate fate = Fate.UNCOMMITTED;
    boolean released;
    /** It had left, and is back with a server that had not heard of that; so is the count of its crashes. */
    boolean revived;
    /** When it last came back so, or -1. */
    long returnedAt = -1;

    /** It came from elsewhere, with a number or a transaction that this database had not given it. */
    boolean foreign;

    boolean refused;
    int kills;

    /** The destinations it had to go to when it left, by the routes of the relay that recorded it; all while it is there. */
    long settledRoute = -1;

    /** The row's version after the latest operator's change. */
    int operatorVersion;

    /** Answers that may spend an attempt, since the operator's latest retry. */
    int spendable;

    /** When an operator last brought it back, or -1. */
    long retriedAt = -1;

    private final Map<String, List<Sending>> sendings = new TreeMap<>();
    private final Map<String, List<Sending>> arrivals = new TreeMap<>();
    private final Deque<Entry> entries = new ArrayDeque<>();

    enum Fate {
        UNCOMMITTED,
        LIVE,
        PROCESSED,
        SKIPPED,
        DELETED,
        /** Gone with a server that had it alone. */
        LOST
    }

    private record Entry(long at, String what) {}

    MessageStory(RowKey key, Stream stream, Script script, boolean delayed) {
        this.key = key;
        this.stream = stream;
        this.script = script;
        this.delayed = delayed;
    }

    void log(long at, String what) {
        if (entries.size() == MOST_ENTRIES) {
            entries.removeFirst();
        }
        entries.add(new Entry(at, what));
    }

    List<String> history() {
        List<String> lines = new ArrayList<>();
        lines.add(key + " " + stream + " " + script + (delayed ? " delayed" : ""));
        for (Entry entry : entries) {
            lines.add(Ledger.time(entry.at()) + " " + entry.what());
        }
        return lines;
    }

    /** Sendings to a destination, oldest first. */
    List<Sending> sendings(String destination) {
        return sendings.getOrDefault(destination, List.of());
    }

    /** Arrivals at a destination, oldest first. */
    List<Sending> arrivals(String destination) {
        return arrivals.getOrDefault(destination, List.of());
    }

    boolean arrivedAt(String destination) {
        return arrivals.containsKey(destination);
    }

    void sent(Sending sending) {
        sendings.computeIfAbsent(sending.destination, destination -> new ArrayList<>())
                .add(sending);
    }

    void arrived(Sending sending) {
        arrivals.computeIfAbsent(sending.destination, destination -> new ArrayList<>())
                .add(sending);
    }

    /** Whether the script makes this sending fail, one of those it is to fail. */
    boolean failsNow(String destination) {
        return script.kind() == Script.Kind.FAILS && sendings(destination).size() <= script.times();
    }
}
