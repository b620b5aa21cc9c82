package dev.postroom.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Limits how much memory the decompressed payloads of all requests take together. The relay counts payloads as they are
 * stored: a few megabytes that it lets in flight may become gigabytes here. Whoever finds no room waits its turn without
 * keeping a worker from those that need none. Thread-safe.
 */
final class DecompressionRoom {
    private final long size;
    private final Executor workers;

    // Guarded by this.
    private final Map<Exchange, Integer> inside = new HashMap<>();
    private final Deque<Visitor> waiting = new ArrayDeque<>();
    private long taken;

    private record Visitor(Exchange exchange, int bytes, Runnable work) {}

    DecompressionRoom(long size, Executor workers) {
        this.size = size;
        this.workers = workers;
    }

    /** Does the work now if there is room, else on a worker when there is. The room is taken until {@link #leave}. */
    void enter(Exchange exchange, int bytes, Runnable work) {
        Visitor visitor = new Visitor(exchange, bytes, work);
        synchronized (this) {
            if (!waiting.isEmpty() || !fits(visitor)) {
                waiting.addLast(visitor);
                return;
            }
            admit(visitor);
        }
        work.run();
    }

    /** Its memory is free again, if it had any. */
    void leave(Exchange exchange) {
        List<Visitor> next = new ArrayList<>();
        synchronized (this) {
            Integer bytes = inside.remove(exchange);
            if (bytes == null) {
                return;
            }
            taken -= bytes;
            while (!waiting.isEmpty() && fits(waiting.getFirst())) {
                Visitor first = waiting.removeFirst();
                admit(first);
                next.add(first);
            }
        }
        try {
            next.forEach(visitor -> workers.execute(visitor.work()));
        } catch (RejectedExecutionException e) {
            // Closed meanwhile, which answers for all of them.
        }
    }

    /** Whoever is larger than the room has it alone. */
    private boolean fits(Visitor visitor) {
        return taken == 0 || taken + visitor.bytes() <= size;
    }

    private void admit(Visitor visitor) {
        inside.put(visitor.exchange(), visitor.bytes());
        taken += visitor.bytes();
    }
}
