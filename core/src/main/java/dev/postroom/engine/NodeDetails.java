package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What this relay tells about itself, as JSON, for commands and pages that explain why something is not sent. */
final class NodeDetails {
    private static final int MOST_GATES = 50;
    private static final int LONGEST_TEXT = 200;
    /** The table takes 65,536: a report that it refuses would end the renewals. A text may be all escapes, six for one. */
    private static final int MOST_TEXT = 40_000;

    private static final int MOST_ADDRESS_TEXT = 8_000;

    private final EngineState state;
    /** When the database first had a report of this relay, by the engine's own clock; null before. */
    private @Nullable Long reportedAt;

    NodeDetails(EngineState state) {
        this.state = state;
    }

    /** A report was answered. */
    void reported() {
        if (reportedAt == null) {
            reportedAt = state.nanos();
        }
    }

    LaneStore.NodeReport report() {
        long inFlight = 0;
        long longestSend = 0;
        Set<OwnedLane> busy = new HashSet<>();
        for (Entry entry : state.memory.entries()) {
            if (entry.inFlight != 0) {
                inFlight++;
                longestSend = Math.max(longestSend, state.nanos() - entry.sentAt);
            }
            if (!waitsAtGate(entry) && !entry.setAside) {
                busy.add(entry.lane);
            }
        }
        List<String> gates = new ArrayList<>();
        int length = 0;
        for (Gates.Gate gate : state.gates.all()) {
            if (gates.size() < MOST_GATES && length < MOST_TEXT) {
                String told =
                        "{\"cause\":" + text(gate.key.kind().name().toLowerCase(Locale.ROOT)) + ",\"destination\":"
                                + text(gate.key.destination()) + ",\"topic\":" + text(gate.key.topic()) + ",\"why\":"
                                + text(gate.why) + "}";
                gates.add(told);
                length += told.length();
            }
        }
        String details = "{\"inFlight\":" + inFlight + ",\"inMemory\":" + state.memory.size() + ",\"lanes\":"
                + state.lanes.size() + ",\"blockedStreams\":" + state.memory.blockedStreams() + ",\"held\":["
                + String.join(",", gates) + "]," + state.pulse.json(state.now) + ",\"longestSendSeconds\":"
                + seconds(longestSend) + ",\"longestStallSeconds\":" + seconds(longestStall(busy)) + ",\"recording\":"
                + recording() + ",\"reading\":" + reading() + addresses() + standsBy()
                + restart() + "}";
        return new LaneStore.NodeReport(
                state.settings.owner(),
                state.settings.host(),
                state.settings.version(),
                details,
                state.routes.text(),
                state.settings.lease(),
                ripeAfter());
    }

    private String recording() {
        return "{\"setAside\":" + state.setAside.size() + ",\"setAsideWhy\":" + text(state.setAside.why())
                + ",\"troubleSeconds\":" + seconds(state.trouble.nanos(state.nanos())) + ",\"trouble\":"
                + text(state.trouble.why()) + "}";
    }

    private String reading() {
        return "{\"troubleSeconds\":" + seconds(state.readTrouble.nanos(state.nanos())) + ",\"trouble\":"
                + text(state.readTrouble.why()) + "}";
    }

    /**
     * Others count the delay by the database's clock, which may be set back, and from a row that a server which took over may
     * have lost. A relay that has lived for the delay by its own clock needs neither any more: it would be unripe
     * again, and an older routing in force.
     */
    private Duration ripeAfter() {
        Duration delay = state.settings.routingDelay();
        boolean wasRipe = state.restart != null && state.restart.ripe();
        return wasRipe || (reportedAt != null && state.nanos() - reportedAt >= delay.toNanos()) ? Duration.ZERO : delay;
    }

    private String addresses() {
        StringBuilder told = new StringBuilder();
        for (Map.Entry<String, String> address : state.addresses.entrySet()) {
            if (told.length() < MOST_ADDRESS_TEXT) {
                told.append(told.isEmpty() ? "" : ",")
                        .append(text(address.getKey()))
                        .append(':')
                        .append(text(address.getValue()));
            }
        }
        return ",\"addresses\":{" + told + "}";
    }

    private String standsBy() {
        LaneStore.LiveNode inForce = state.standsByFor;
        return inForce == null ? "" : ",\"standsByFor\":" + text(inForce.node());
    }

    private String restart() {
        Restart restart = state.restart;
        if (restart == null || !restart.isRecent(state.nanos())) {
            return "";
        }
        return ",\"restart\":{\"times\":" + restart.times() + ",\"secondsAgo\":"
                + String.format(Locale.ROOT, "%.3f", restart.secondsAgo(state.nanos())) + ",\"why\":"
                + text(restart.why()) + "}";
    }

    private boolean waitsAtGate(Entry entry) {
        return entry.inFlight == 0 && entry.candidateFor != null && state.gates.isClosed(entry.candidateFor);
    }

    /** A lane with nothing in memory but what waits for a closed gate has nothing to do, and does not stand still. */
    private long longestStall(Set<OwnedLane> busy) {
        long longest = 0;
        for (OwnedLane lane : state.lanes.values()) {
            if (lane.movedAt == Long.MIN_VALUE || !busy.contains(lane)) {
                lane.movedAt = state.nanos();
            }
            longest = Math.max(longest, state.nanos() - lane.movedAt);
        }
        return longest;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
    }

    private static String text(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        StringBuilder json = new StringBuilder("\"");
        value.codePoints().limit(LONGEST_TEXT).forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').appendCodePoint(c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                json.appendCodePoint(c);
            }
        });
        return json.append('"').toString();
    }
}
