package dev.postroom.server.web;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.ByteArrayInputStream;
import java.util.Arrays;

/** One body, as far as it has arrived, and its part of the {@link BodyBudget}, given back once, however its request ends. Thread-safe. */
final class BodyRoom implements AsyncListener {
    private static final byte[] NOTHING = {};

    private final BodyBudget budget;
    private final String client;
    private byte[] bytes = NOTHING;
    private int length;
    private boolean released;

    BodyRoom(BodyBudget budget, String client) {
        this.budget = budget;
        this.client = client;
    }

    /** Whether there was room for it. */
    synchronized boolean add(byte[] part, int size) {
        if (released || !makeRoom(length + size)) {
            return false;
        }
        System.arraycopy(part, 0, bytes, length, size);
        length += size;
        return true;
    }

    /** What is counted is what is allocated. The length that a client announces counts for nothing: announcing costs him nothing. */
    private boolean makeRoom(int needed) {
        if (needed <= bytes.length) {
            return true;
        }
        int capacity = Math.max(needed, bytes.length * 2);
        if (!budget.take(client, capacity - bytes.length)) {
            return false;
        }
        bytes = Arrays.copyOf(bytes, capacity);
        return true;
    }

    synchronized int length() {
        return length;
    }

    /** The body from its beginning: a request that waits for its turn is passed on twice. */
    synchronized ByteArrayInputStream open() {
        return new ByteArrayInputStream(bytes, 0, length);
    }

    synchronized void release() {
        if (!released) {
            released = true;
            budget.giveBack(client, bytes.length);
            bytes = NOTHING;
            length = 0;
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        release();
    }

    @Override
    public void onError(AsyncEvent event) {
        release();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // the request goes on, to be refused
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // whoever starts it again adds this again
    }
}
