package dev.postroom.engine;

import dev.postroom.policy.Routes;
import dev.postroom.spi.LaneStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What this relay tells about itself, as JSON, for commands and pages that explain why something is not sent. */
public final class NodeDetails {
    private static final int MOST_GATES = 50;
    private static final int LONGEST_TEXT = 200;
    /** The table takes 65,536: a report that it refuses would end the renewals. A text may be all escapes, six for one. */
    private static final int MOST_TEXT = 40_000;

    private static final int MOST_ADDRESS_TEXT = 8_000;

    private final Facts facts;
    /** When the database first had a report of this relay, by the engine's own clock; null before. */
    private @Nullable Long reportedAt;

    /** What an engine knows of itself. */
    public interface Facts {
        EngineSettings settings();

        Routes routes();

        Moment now();

        /** Why the engine before this one ended, if that one failed. */
        @Nullable
        Restart restart();

        /** Where each destination is, by its name. */
        Map<String, String> addresses();

        LaneStore.@Nullable LiveNode standsByFor();

        Pulse pulse();

        Recording recording();

        ReadTrouble readTrouble();

        Load load();

        /** What keeps messages from being sent. */
        List<Held> held();
    }

    /**
     * What is under way.
     *
     * @param longestSend how long the longest send has taken so far, in nanoseconds
     * @param longestStall for how long no lane that has something to do has stood still, likewise
     */
    public record Load(
            long inFlight, int inMemory, int lanes, int blockedStreams, long longestSend, long longestStall) {}

    /** Outcomes that cannot be recorded: the database's own trouble, and what was set aside. */
    public record Recording(SettleTrouble trouble, int setAside, String setAsideWhy) {}

    /** Something that is stopped: its cause in a word, where, which topic or type, and what was said. */
    public record Held(
            String cause,
            @Nullable String destination,
            @Nullable String topic,
            @Nullable String type,
            String why) {}

    public NodeDetails(Facts facts) {
        this.facts = facts;
    }

    private long nanos() {
        return facts.now().nanos();
    }

    /** A report was answered. */
    public void reported() {
        if (reportedAt == null) {
            reportedAt = nanos();
        }
    }

    public LaneStore.NodeReport report() {
        List<String> gates = new ArrayList<>();
        int length = 0;
        for (Held held : facts.held()) {
            if (gates.size() < MOST_GATES && length < MOST_TEXT) {
                String told = "{\"cause\":" + text(held.cause()) + ",\"destination\":" + text(held.destination())
                        + ",\"topic\":" + text(held.topic())
                        + (held.type() == null ? "" : ",\"type\":" + text(held.type())) + ",\"why\":" + text(held.why())
                        + "}";
                gates.add(told);
                length += told.length();
            }
        }
        Load load = facts.load();
        String details = "{\"inFlight\":" + load.inFlight() + ",\"inMemory\":" + load.inMemory() + ",\"lanes\":"
                + load.lanes() + ",\"blockedStreams\":" + load.blockedStreams() + ",\"held\":["
                + String.join(",", gates) + "]," + facts.pulse().json(facts.now()) + ",\"longestSendSeconds\":"
                + seconds(load.longestSend()) + ",\"longestStallSeconds\":" + seconds(load.longestStall())
                + ",\"recording\":"
                + recording() + ",\"reading\":" + reading() + addresses() + standsBy()
                + restart() + "}";
        return new LaneStore.NodeReport(
                facts.settings().owner(),
                facts.settings().host(),
                facts.settings().version(),
                details,
                facts.routes().text(),
                facts.settings().lease(),
                ripeAfter());
    }

    private String recording() {
        Recording recording = facts.recording();
        return "{\"setAside\":" + recording.setAside() + ",\"setAsideWhy\":" + text(recording.setAsideWhy())
                + ",\"troubleSeconds\":" + seconds(recording.trouble().nanos(nanos())) + ",\"trouble\":"
                + text(recording.trouble().why()) + "}";
    }

    private String reading() {
        return "{\"troubleSeconds\":" + seconds(facts.readTrouble().nanos(nanos())) + ",\"trouble\":"
                + text(facts.readTrouble().why()) + "}";
    }

    /**
     * Others count the delay by the database's clock, which may be set back, and from a row that a server which took over may
     * have lost. A relay that has lived for the delay by its own clock needs neither any more: it would be unripe
     * again, and an older routing in force.
     */
    private Duration ripeAfter() {
        Duration delay = facts.settings().routingDelay();
        Restart restart = facts.restart();
        boolean wasRipe = restart != null && restart.ripe();
        return wasRipe || (reportedAt != null && nanos() - reportedAt >= delay.toNanos()) ? Duration.ZERO : delay;
    }

    private String addresses() {
        StringBuilder told = new StringBuilder();
        for (Map.Entry<String, String> address : facts.addresses().entrySet()) {
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
        LaneStore.LiveNode inForce = facts.standsByFor();
        return inForce == null ? "" : ",\"standsByFor\":" + text(inForce.node());
    }

    private String restart() {
        Restart restart = facts.restart();
        if (restart == null || !restart.isRecent(nanos())) {
            return "";
        }
        return ",\"restart\":{\"times\":" + restart.times() + ",\"secondsAgo\":"
                + String.format(Locale.ROOT, "%.3f", restart.secondsAgo(nanos())) + ",\"why\":"
                + text(restart.why()) + "}";
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
