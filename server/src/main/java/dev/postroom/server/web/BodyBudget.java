package dev.postroom.server.web;

import java.util.HashMap;
import java.util.Map;

/**
 * How much memory all bodies that are under way may have together. One client may have as much as all leave free, so half of it at
 * most: whatever some send, there is room for somebody else's. Thread-safe.
 */
final class BodyBudget {
    private final long mostBytes;
    private final Map<String, Long> byClient = new HashMap<>();
    private long bytes;

    BodyBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Whether there is room for so many more; then they are to be given back. */
    synchronized boolean take(String client, long more) {
        long own = byClient.getOrDefault(client, 0L) + more;
        if (own > mostBytes - bytes) {
            return false;
        }
        byClient.put(client, own);
        bytes += more;
        return true;
    }

    synchronized void giveBack(String client, long taken) {
        bytes -= taken;
        byClient.computeIfPresent(client, (key, own) -> own == taken ? null : own - taken);
    }

    synchronized long bytes() {
        return bytes;
    }
}
