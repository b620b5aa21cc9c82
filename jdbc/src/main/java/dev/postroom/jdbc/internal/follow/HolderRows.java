package dev.postroom.jdbc.internal.follow;

import dev.postroom.spi.FollowReader.Held;
import dev.postroom.spi.Owing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The first few holders of some streams, and at which destinations they keep later rows from going. */
public final class HolderRows {
    /** With that many holders, a stream is taken to be held everywhere. */
    public static final int MOST = 8;

    private static final long EVERYWHERE = -1;

    private final Owing owing;
    private final Map<Long, List<Holder>> streams = new HashMap<>();

    public HolderRows(Owing owing) {
        this.owing = owing;
    }

    private record Holder(long seq, long destinations) {}

    /** Holders come by seq within their stream. */
    public void add(long stream, long seq, String topic, @Nullable String onlyDestination, long completed) {
        streams.computeIfAbsent(stream, id -> new ArrayList<>())
                .add(new Holder(seq, owing.destinations(topic, onlyDestination) & ~completed));
    }

    /** Where rows of the stream from this seq on are held. */
    long before(long stream, long seq) {
        List<Holder> holders = streams.getOrDefault(stream, List.of());
        if (holders.size() >= MOST && holders.get(holders.size() - 1).seq() < seq) {
            return EVERYWHERE;
        }
        long held = 0;
        for (Holder holder : holders) {
            held |= holder.seq() < seq ? holder.destinations() : 0;
        }
        return held;
    }

    public List<Held> all() {
        return streams.keySet().stream()
                .map(stream -> new Held(stream, before(stream, Long.MAX_VALUE)))
                .toList();
    }
}
