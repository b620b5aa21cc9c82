package dev.postroom.follow;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineSettings;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads streams that fell behind: those of which a read may get on, and, going round, those that nothing holds any more. The round
 * finds what no message of this relay tells: that an operator took a holder away.
 */
final class StreamReads {
    private static final long ROUND = Duration.ofSeconds(10).toNanos();
    /** As many as the port takes at once. */
    private static final int MOST_ASKS = 64;

    private final EngineSettings settings;
    private final Collection<Lane> lanes;
    private List<Track> asked = List.of();
    private List<StreamRead.Ask> askedStreams = List.of();
    private Map<Track, List<Long>> askedHolders = Map.of();
    private long nextRound = Long.MIN_VALUE;
    private boolean roundIsOn;
    /** The track and the slot that the round goes on at. */
    private @Nullable Track roundAt;

    private int slot;
    private int turns;

    StreamReads(EngineSettings settings, Collection<Lane> lanes) {
        this.settings = settings;
        this.lanes = lanes;
    }

    boolean isAnyWanted() {
        return roundIsOn
                || tracks().stream()
                        .anyMatch(track -> isAble(track) && track.behind().isAnyWanted());
    }

    long nextRound() {
        return nextRound;
    }

    Command.@Nullable ForReader next(ReadBounds bounds, long now) {
        Command.ForReader wanted = readWanted(bounds);
        return wanted == null ? round(now) : wanted;
    }

    private static boolean isAble(Track track) {
        return !track.lane().isLeaving() && track.destination().isAble();
    }

    private List<Track> tracks() {
        List<Track> tracks = new ArrayList<>();
        lanes.forEach(lane -> tracks.addAll(lane.tracks()));
        return tracks;
    }

    private Command.@Nullable ForReader readWanted(ReadBounds bounds) {
        int most = Math.min(MOST_ASKS, settings.bounds().streamsPerRead());
        List<StreamRead.Ask> asks = new ArrayList<>();
        List<Track> whose = new ArrayList<>();
        List<Track> all = tracks();
        for (int i = 0; i < all.size() && asks.size() < most; i++) {
            // Begun at another place each time, so that each gets its turn.
            Track track = all.get((i + turns) % all.size());
            if (isAble(track)) {
                track.behind().takeWanted(most - asks.size(), stream -> {
                    asks.add(new StreamRead.Ask(
                            stream,
                            track.behind().passed().upTo(stream),
                            track.destination().mask(),
                            2 * settings.bounds().streamShare()));
                    whose.add(track);
                });
            }
        }
        turns++;
        if (asks.isEmpty()) {
            return null;
        }
        asked = whose;
        askedStreams = asks;
        return new Command.ReadStreams(asks, bounds);
    }

    private Command.@Nullable ForReader round(long now) {
        List<Track> all = tracks();
        boolean early = all.stream().anyMatch(track -> track.behind().isRoundWanted());
        if (!roundIsOn && !early && nextRound != Long.MIN_VALUE && now - nextRound < 0) {
            return null;
        }
        if (!roundIsOn) {
            nextRound = now + ROUND;
            roundIsOn = true;
            roundAt = null;
            slot = 0;
            all.forEach(track -> track.behind().roundBegan());
        }
        Map<Track, List<Long>> some = nextSlice(all);
        if (some.isEmpty()) {
            roundIsOn = false;
            return null;
        }
        askedHolders = some;
        Set<Long> streams = new LinkedHashSet<>();
        some.values().forEach(streams::addAll);
        return new Command.FindHeld(streams);
    }

    private Map<Track, List<Long>> nextSlice(List<Track> all) {
        int most = settings.bounds().holdersPerRead();
        Map<Track, List<Long>> some = new HashMap<>();
        int first = roundAt == null ? 0 : Math.max(0, all.indexOf(roundAt));
        int taken = 0;
        for (int i = first; i < all.size(); i++) {
            Track track = all.get(i);
            List<Long> streams = new ArrayList<>();
            int from = track == roundAt ? slot : 0;
            int next = track.behind().streams().show(from, most - taken, streams::add);
            if (!streams.isEmpty()) {
                some.put(track, streams);
                taken += streams.size();
            }
            if (next != 0 || taken >= most) {
                roundAt = next != 0 ? track : i + 1 < all.size() ? all.get(i + 1) : null;
                slot = next;
                roundIsOn = roundAt != null;
                return some;
            }
        }
        roundIsOn = false;
        return some;
    }

    void came(StreamRead read, Intake intake, IntFunction<@Nullable Lane> laneOfRead) {
        for (int i = 0; i < read.streams().size(); i++) {
            Track track = asked.get(i);
            if (laneOfRead.apply(track.lane().number()) == track.lane()) {
                intake.take(read.streams().get(i), track, read.at());
            }
        }
        asked = List.of();
        askedStreams = List.of();
    }

    /** See {@link PassedRows#told}. */
    boolean told(long tellings) {
        boolean others = false;
        for (Lane lane : lanes) {
            for (Track track : lane.tracks()) {
                BehindStreams behind = track.behind();
                others |= behind.passed().told(tellings, behind::want);
            }
        }
        return others;
    }

    /** Those that nothing holds are read, and some of the others: what holds them may be of a stream that has the same id by chance. */
    void heldCame(List<FollowReader.Held> held) {
        Map<Long, Long> destinations = new HashMap<>();
        held.forEach(one -> destinations.merge(one.stream(), one.destinations(), (a, b) -> a | b));
        int all = askedHolders.values().stream().mapToInt(List::size).sum();
        int doubted = 0;
        for (Map.Entry<Track, List<Long>> asked : askedHolders.entrySet()) {
            Track track = asked.getKey();
            for (long stream : asked.getValue()) {
                boolean free = (destinations.getOrDefault(stream, 0L)
                                & track.destination().mask())
                        == 0;
                if (free || ++doubted % (all / MOST_ASKS + 1) == turns % (all / MOST_ASKS + 1)) {
                    track.behind().want(stream);
                }
            }
        }
        askedHolders = Map.of();
    }

    /** Nothing came: what was asked for is still wanted. */
    void failed() {
        for (int i = 0; i < asked.size(); i++) {
            asked.get(i).behind().want(askedStreams.get(i).stream());
        }
        asked = List.of();
        askedStreams = List.of();
        askedHolders.forEach((track, streams) -> streams.forEach(track.behind()::want));
        askedHolders = Map.of();
    }
}
