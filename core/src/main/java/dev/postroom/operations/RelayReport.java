package dev.postroom.operations;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a relay told about itself, as far as it can be read; a newer or older one may tell other things.
 *
 * @param inFlight messages on their way
 * @param held what it does not send at the moment, and why
 * @param delivered confirmed deliveries since it started, or -1 when it does not say
 * @param failed failed attempts since it started, or -1 when it does not say
 * @param minute what it did in the last minute
 * @param longestSendSeconds how long the message has been on its way that has been so for longest; 0 when none is
 * @param longestStallSeconds how long the lane has stood still that has messages to send and sends none; 0 when none does
 * @param recording whether it can record what became of messages
 * @param reading whether it can read what there is to send
 * @param standsByFor a relay whose routes are in force while this one's are not, and which therefore delivers in its place; or null
 * @param restart its latest failure, which made it begin anew; null when it has been well for a while
 * @param addresses where its destinations are, without credentials, by their names
 */
public record RelayReport(
        long inFlight,
        List<Held> held,
        long delivered,
        long failed,
        Minute minute,
        double longestSendSeconds,
        double longestStallSeconds,
        Recording recording,
        Reading reading,
        @Nullable String standsByFor,
        @Nullable Restart restart,
        Map<String, String> addresses) {
    /** A report that says nothing. */
    public static final RelayReport NONE = new RelayReport(
            0, List.of(), -1, -1, Minute.NOTHING, 0, 0, Recording.FINE, Reading.FINE, null, null, Map.of());

    /** Only whole destinations that take nothing: topics, numbers and errors may be other tenants'. */
    RelayReport forTenants() {
        List<Held> destinations = held.stream()
                .filter(one -> one.cause().equals(Held.BREAKER) && one.destination() != null && one.isOfAll())
                .map(one -> new Held(one.cause(), one.destination(), null, null, "it takes nothing at the moment"))
                .toList();
        return new RelayReport(
                0, destinations, -1, -1, Minute.NOTHING, 0, 0, Recording.FINE, Reading.FINE, null, null, Map.of());
    }

    /**
     * Something that is not sent.
     *
     * @param cause one word: see the constants; others are a relay's own affairs
     * @param destination null for all of them
     * @param topic null for all of them
     * @param type null for all of them; given where a destination fails everything of one type
     */
    public record Held(
            String cause,
            @Nullable String destination,
            @Nullable String topic,
            @Nullable String type,
            String why) {
        public static final String BREAKER = "breaker";
        public static final String PAUSE = "pause";
        public static final String NO_ROUTE = "no_route";

        /** Whether it is all that goes there, and not one topic or type. */
        public boolean isOfAll() {
            return topic == null && type == null;
        }

        /** {@code destination billing topic orders}, or {@code everything}. */
        public String what() {
            String which = (destination == null ? "" : " destination " + destination)
                    + (topic == null ? "" : " topic " + topic)
                    + (type == null ? "" : " type " + type);
            return which.isEmpty() ? "everything" : which.substring(1);
        }
    }

    /**
     * How it gets on with recording outcomes.
     *
     * @param setAside outcomes that the database refuses because of the values in them, and {@code setAsideWhy}
     * @param troubleSeconds for how long nothing could be recorded at all, and nothing was sent; 0 when all is well
     */
    public record Recording(long setAside, String setAsideWhy, double troubleSeconds, String trouble) {
        public static final Recording FINE = new Recording(0, "", 0, "");
    }

    /**
     * How it gets on with reading.
     *
     * @param troubleSeconds for how long the database has not answered one of its questions; 0 when all is well
     */
    public record Reading(double troubleSeconds, String trouble) {
        public static final Reading FINE = new Reading(0, "");
    }

    /**
     * A part of the relay failed, which is a bug or a lack of memory, and it began anew.
     *
     * @param times how often, without a while of health between
     * @param why what failed
     */
    public record Restart(int times, double secondsAgo, String why) {}

    /**
     * The last minute; latencies are from the writing of a message (or its delivery time, when it was to be later) to its
     * confirmation, in milliseconds, and null when nothing was confirmed.
     */
    public record Minute(
            long delivered,
            long failed,
            @Nullable Double p50Millis,
            @Nullable Double p95Millis,
            @Nullable Double p99Millis) {
        public static final Minute NOTHING = new Minute(0, 0, null, null, null);
    }
}
