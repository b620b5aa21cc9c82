package dev.postroom.micrometer;

import dev.postroom.FailureReason;
import dev.postroom.engine.Refusal;
import dev.postroom.relay.RelayListener;
import dev.postroom.relay.RelayView;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What one relay does. Thread-safe. */
final class RelayMeters implements RelayListener {
    /** The destination of what has none: it failed before, or no route matches. */
    private static final String NOWHERE = "none";

    /** Anybody may write to any topic, and a gauge of a thousand says enough. */
    private static final int MOST_UNROUTED = 1_000;

    private final Meters meters;
    private final MessageTags tags;
    private final InstantSource databaseClock;
    private final DeskMeters desks;
    private final RollingWindow window = new RollingWindow(System::nanoTime);
    private final Map<String, DestinationMeters> destinations = new ConcurrentHashMap<>();
    private final Map<MessageTags.Key, MessageCounters> counters = new ConcurrentHashMap<>();
    private final Set<String> shownInFlight = ConcurrentHashMap.newKeySet();
    private final Set<String> unrouted = ConcurrentHashMap.newKeySet();
    private volatile @Nullable RelayView view;
    private volatile int lanes;

    RelayMeters(Meters meters, MessageTags tags, InstantSource databaseClock) {
        this.meters = meters;
        this.tags = tags;
        this.databaseClock = databaseClock;
        this.desks = new DeskMeters(meters);
        meters.gauge(
                DestinationMeters.HELD,
                "topics",
                DestinationMeters.HELD_HELP,
                Tags.of("destination", NOWHERE),
                unrouted::size);
        meters.gauge("postroom.lanes.owned", null, "Lanes that this relay owns, of 64", Tags.empty(), () -> lanes);
        meters.gauge(
                "postroom.throughput.per.second",
                null,
                "Confirmed deliveries per second in the last minute",
                Tags.empty(),
                window::publishedPerSecond);
        meters.gauge(
                "postroom.failure.ratio",
                null,
                "Failed deliveries among all that had an outcome in the last minute",
                Tags.empty(),
                window::failureRatio);
    }

    @Override
    public void began(RelayView relay) {
        view = relay;
        nothingHeld();
        for (String name : relay.destinations()) {
            destination(name);
            if (shownInFlight.add(name)) {
                meters.gauge(
                        "postroom.in.flight",
                        "messages",
                        "Messages that a transport was given and has not answered for",
                        Tags.of("destination", name),
                        () -> underWay(name));
            }
            if (tags.areByDestinationOnly()) {
                counters(tags.key(name));
            }
        }
    }

    private int underWay(String destination) {
        RelayView relay = view;
        return relay == null ? 0 : relay.underWay(destination);
    }

    @Override
    public void ended() {
        view = null;
        nothingHeld();
    }

    private void nothingHeld() {
        lanes = 0;
        unrouted.clear();
        destinations.values().forEach(DestinationMeters::nothingHeld);
    }

    @Override
    public void lanes(int owned, String why) {
        lanes = owned;
    }

    @Override
    public void delivered(StoredMessage message, String destination) {
        counters(tags.key(message.stream(), destination)).published();
        window.published();
        if (message.progress().onlyDestination() == null) { // a replay's age would tell when it was first sent
            destination(destination).delivered(age(message), (int)
                    Math.min(Integer.MAX_VALUE, message.progress().attempts() + 1L));
        }
    }

    /** Since it was written, or came due if it was to be delivered later. Never negative: clocks differ. */
    private Duration age(StoredMessage message) {
        Instant due = message.due();
        boolean delayed = message.progress().state() == RowState.DELAYED;
        Instant since = delayed && due != null && due.isAfter(message.createdAt()) ? due : message.createdAt();
        return Duration.ofMillis(Math.max(0, databaseClock.millis() - since.toEpochMilli()));
    }

    @Override
    public void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryAfterMillis) {
        String where = destination == null ? NOWHERE : destination;
        counters(tags.key(message.stream(), where)).failed(reason, retryAfterMillis < 0);
        window.failed();
    }

    @Override
    public void breaker(String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {
        if (topic != null) {
            destination(destination).hold(topic, open);
        } else if (type != null) {
            destination(destination).hold("type " + type, open);
        } else {
            destination(destination).hold(open);
        }
    }

    @Override
    public void unrouted(String topic, boolean held) {
        if (!held) {
            unrouted.remove(topic);
        } else if (unrouted.size() < MOST_UNROUTED) {
            unrouted.add(topic);
        }
    }

    @Override
    public void read(int messages, long nanos) {
        desks.read(messages, nanos);
    }

    @Override
    public void settled(int messages, long nanos) {
        desks.settled(messages, nanos);
    }

    @Override
    public void duplicates(int count) {
        desks.duplicates(count);
    }

    @Override
    public void overtaken(int count) {
        desks.overtaken(count);
    }

    @Override
    public void settleRefused(RowKey key, Refusal became, String error) {
        desks.settleRefused(became);
    }

    @Override
    public void databaseTrouble(String desk, String error) {
        desks.databaseTrouble(desk);
    }

    private DestinationMeters destination(String name) {
        DestinationMeters known = destinations.get(name); // computeIfAbsent may lock, even when there is nothing to do
        return known != null
                ? known
                : destinations.computeIfAbsent(
                        name, added -> new DestinationMeters(meters, Tags.of("destination", added)));
    }

    private MessageCounters counters(MessageTags.Key key) {
        MessageCounters known = counters.get(key);
        return known != null
                ? known
                : counters.computeIfAbsent(key, added -> new MessageCounters(meters, added.tags()));
    }
}
