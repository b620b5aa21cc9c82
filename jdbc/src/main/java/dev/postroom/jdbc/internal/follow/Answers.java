package dev.postroom.jdbc.internal.follow;

import dev.postroom.jdbc.internal.follow.RowSource.Before;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;

/** Completes the rows of an answer: where each is held, what stands before it, and its contents. */
public final class Answers {
    /** Rows whose contents are loaded by one statement. */
    private static final int AT_ONCE = 500;

    private final RowSource source;
    private final ReadBounds bounds;

    public Answers(RowSource source, ReadBounds bounds) {
        this.source = source;
        this.bounds = bounds;
    }

    /** The rows of each part; those that have been removed meanwhile are missing. */
    public record Ready(List<List<FollowedMessage>> parts) {
        public List<FollowedMessage> part(int n) {
            return parts.get(n);
        }
    }

    /**
     * Completes the rows of all parts.
     *
     * @param preceding for each part by its number
     */
    public Ready of(List<List<FoundRow>> parts, IntFunction<Preceding> preceding) throws SQLException {
        HolderRows holders = holders(parts);
        Map<UUID, StoredMessage> loaded = contents(parts);
        List<List<FollowedMessage>> ready = new ArrayList<>(parts.size());
        for (int n = 0; n < parts.size(); n++) {
            List<FoundRow> part = parts.get(n);
            ready.add(
                    part.isEmpty() ? List.of() : part(part, source.before(part, preceding.apply(n)), holders, loaded));
        }
        return new Ready(ready);
    }

    /** As many of these rows as the bounds allow. */
    public List<FollowedMessage> within(List<FoundRow> rows) throws SQLException {
        Budget budget = new Budget(bounds.bytes());
        List<FoundRow> taken = new ArrayList<>();
        for (FoundRow row : rows) {
            if (!budget.accepts(row)) {
                break;
            }
            taken.add(row);
        }
        return of(List.of(taken), part -> Preceding.EACH_ROW).part(0);
    }

    private static List<FollowedMessage> part(
            List<FoundRow> rows, List<Before> before, HolderRows holders, Map<UUID, StoredMessage> loaded) {
        List<FollowedMessage> ready = new ArrayList<>(rows.size());
        for (int n = 0; n < rows.size(); n++) {
            FoundRow row = rows.get(n);
            StoredMessage contents = row.heavy() ? loaded.get(row.key().id()) : row.message();
            if (contents == null) {
                continue;
            }
            FoundRow whole = row.heavy() ? row.with(contents) : row;
            Before standing = before.isEmpty() ? Before.NOTHING : before.get(n);
            long held = row.held() ? holders.before(row.stream(), row.seq()) : 0;
            ready.add(whole.followed(held | standing.unknown(), standing.earlier()));
        }
        return ready;
    }

    private HolderRows holders(List<List<FoundRow>> parts) throws SQLException {
        Set<Long> streams = new HashSet<>();
        for (List<FoundRow> part : parts) {
            for (FoundRow row : part) {
                if (row.held()) {
                    streams.add(row.stream());
                }
            }
        }
        return source.holders(streams);
    }

    private Map<UUID, StoredMessage> contents(List<List<FoundRow>> parts) throws SQLException {
        List<RowKey> heavy = new ArrayList<>();
        for (List<FoundRow> part : parts) {
            for (FoundRow row : part) {
                if (row.heavy()) {
                    heavy.add(row.key());
                }
            }
        }
        Map<UUID, StoredMessage> loaded = new HashMap<>();
        for (int from = 0; from < heavy.size(); from += AT_ONCE) {
            loaded.putAll(source.load(heavy.subList(from, Math.min(heavy.size(), from + AT_ONCE)), bounds));
        }
        return loaded;
    }
}
