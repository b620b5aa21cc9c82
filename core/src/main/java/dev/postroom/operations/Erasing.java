package dev.postroom.operations;

import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.DedupPosition;
import dev.postroom.operations.OperationsStore.DedupStep;
import dev.postroom.operations.OperationsStore.KeyStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One erasure, worked off in short transactions. What leads to the rest goes last: idempotency keys can be found by the message's id
 * only, so they go before the messages, and an erasure that dies half way finds everything again when it is repeated.
 *
 * <p>A message moves while it is looked for: a relay archives it, an operator sends it again. So it is looked for until nothing is found.
 */
final class Erasing {
    private static final int MOST_PASSES = 5;

    private final OperationsStore store;
    private final ErasureRequest request;

    Erasing(OperationsStore store, ErasureRequest request) {
        this.store = store;
        this.request = request;
    }

    ErasureResult dryRun() {
        List<UUID> ids = find();
        ErasureResult found = ErasureResult.NOTHING;
        for (List<UUID> chunk : chunks(ids)) {
            found = found.plus(store.countErasable(chunk));
        }
        return found.withIdempotencyKeys(idempotencyKeys(ids, false));
    }

    /** The audit gets ids, counts and the reason, and nothing of what was erased. */
    ErasureResult erase(Auditing auditing, LongConsumer progress) {
        ErasureResult erased = ErasureResult.NOTHING;
        long keys = 0;
        Auditing part = auditing;
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            List<UUID> ids = find();
            keys += idempotencyKeys(ids, true);
            ErasureResult before = erased;
            for (List<UUID> chunk : chunks(ids)) {
                ErasureResult gone = store.erase(chunk, part.about(Operations.describe(chunk)));
                erased = erased.plus(gone);
                part = part.next();
                progress.accept(erased.changed());
            }
            if (erased.equals(before)) {
                break;
            }
        }
        if (part.equals(auditing)) {
            store.record(auditing, Operations.NOTHING_MATCHED);
        }
        return erased.withIdempotencyKeys(keys);
    }

    /** Up to {@link Bulk#MOST} messages; the next pass, or the next erasure, finds more. */
    private List<UUID> find() {
        if (request.key() == null) {
            return request.ids();
        }
        Set<UUID> found = new LinkedHashSet<>();
        for (boolean archived : new boolean[] {false, true}) {
            @Nullable UUID after = null;
            do {
                KeyStep step = store.findByKey(request.tenant(), request.key(), archived, after);
                found.addAll(step.found());
                after = step.next();
            } while (after != null && found.size() < Bulk.MOST);
        }
        return List.copyOf(found);
    }

    private long idempotencyKeys(List<UUID> ids, boolean remove) {
        if (ids.isEmpty()) {
            return 0;
        }
        Set<UUID> wanted = Set.copyOf(ids);
        long keys = 0;
        for (String tenant : tenants(ids)) {
            @Nullable DedupPosition position = new DedupPosition(tenant, "");
            while (position != null) {
                DedupStep step = store.idempotencyKeysOf(wanted, position, remove);
                keys += step.keys();
                position = step.next();
            }
        }
        return keys;
    }

    private Set<String> tenants(List<UUID> ids) {
        if (request.key() != null) {
            return Set.of(request.tenant());
        }
        Set<String> tenants = new HashSet<>(store.tenantsOf(ids));
        tenants.add("");
        return tenants;
    }

    private static List<List<UUID>> chunks(List<UUID> ids) {
        List<List<UUID>> chunks = new ArrayList<>();
        for (int from = 0; from < ids.size(); from += OperationsStore.MOST_CHANGES) {
            chunks.add(ids.subList(from, Math.min(ids.size(), from + OperationsStore.MOST_CHANGES)));
        }
        return chunks;
    }
}
