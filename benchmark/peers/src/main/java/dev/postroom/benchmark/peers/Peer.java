package dev.postroom.benchmark.peers;

import java.util.List;
import java.util.function.Consumer;

/** An outbox, set up as its authors recommend for throughput, with a handler in the same process. For one thread. */
public interface Peer extends AutoCloseable {

    /** Writes messages in one transaction. They wait for {@link #deliver}. */
    void publish(List<Order> orders) throws Exception;

    /** Begins to give what waits to the handler, from threads of its own, and returns. */
    void deliver(Consumer<String> handler) throws Exception;

    /**
     * Returns when what was handled is recorded too. Who records one message at a time is no more than a few behind, which
     * is given to it for nothing.
     */
    default void settle() throws Exception {}

    /** Counts the rows that still wait. */
    String backlogQuery();

    /** Ends what {@link #deliver} began, in order. */
    @Override
    void close() throws Exception;
}
