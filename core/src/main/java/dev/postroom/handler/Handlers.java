package dev.postroom.handler;

import dev.postroom.PostroomException;
import dev.postroom.TypeNames;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers to functions in this process, by the message's type. A type without a handler is held, never dead: a newer
 * version of the application may bring the handler. Each method returns changed handlers and leaves these as they are.
 * Thread-safe.
 *
 * <pre>{@code
 * Handlers handlers = Handlers.create()
 *         .on("orders.created", Order.class, (order, delivery) -> ship(order))
 *         .on("orders.cancelled", delivery -> stop(delivery.key()));
 * }</pre>
 */
public final class Handlers implements Transport {
    private static final int DEFAULT_CONCURRENCY = 16;

    private final HandlerTable table;
    private final int concurrency;
    private final @Nullable Executor given;
    private final @Nullable PayloadCodec codec;
    private final TypeNames types;
    private @Nullable ExecutorService own;
    private boolean closed;

    private Handlers(
            HandlerTable table,
            int concurrency,
            @Nullable Executor given,
            @Nullable PayloadCodec codec,
            TypeNames types) {
        this.table = table;
        this.concurrency = concurrency;
        this.given = given;
        this.codec = codec;
        this.types = types;
    }

    /** Handles nothing yet. */
    public static Handlers create() {
        HandlerTable empty = new HandlerTable(Map.of(), null, Tracing.NONE);
        return new Handlers(empty, DEFAULT_CONCURRENCY, null, null, TypeNames.annotated());
    }

    /** Messages of this type go to this handler; the type of a message without one is its topic. */
    public Handlers on(String type, Handler handler) {
        return new Handlers(table.with(type, handler), concurrency, given, codec, types);
    }

    /** As {@link #on(String, Handler)}, with the payload decoded into a class that is named here and never by a message. */
    public <T> Handlers on(String type, Class<T> payload, PayloadHandler<T> handler) {
        PayloadCodec decoder = codec != null ? codec : codecOnTheClassPath();
        return on(type, new DecodingHandler<>(payload, handler, decoder, codec != null));
    }

    /**
     * Messages with an object of this class go to this handler: those of the name that {@link dev.postroom.MessageType} on
     * the class, or {@link #types}, gives it, and of the names that it had before.
     */
    public <T> Handlers on(Class<T> payload, PayloadHandler<T> handler) {
        Handlers more = this;
        for (String type : types.namesOf(payload)) {
            more = more.on(type, payload, handler);
        }
        return more;
    }

    /** What classes are called from here on; else what annotations say. */
    public Handlers types(TypeNames names) {
        return new Handlers(table, concurrency, given, codec, names);
    }

    /** The same handlers, whose payloads this decodes where {@link #codec} has not said otherwise: before, or after. */
    public Handlers codecUnlessGiven(PayloadCodec decoder) {
        return new Handlers(table.decodedBy(decoder), concurrency, given, codec, types);
    }

    /** Whatever has no handler of its own goes to this one. */
    public Handlers otherwise(Handler handler) {
        return new Handlers(table.otherwise(handler), concurrency, given, codec, types);
    }

    /** What decodes payloads from here on; else the one found on the class path. */
    public Handlers codec(PayloadCodec decoder) {
        return new Handlers(table, concurrency, given, decoder, types);
    }

    /** What goes on with the messages' traces while their handlers run; none by default. */
    public Handlers tracing(Tracing tracing) {
        return new Handlers(table.traced(tracing), concurrency, given, codec, types);
    }

    /** How many messages are handled at once at most; 16 by default. */
    public Handlers concurrency(int messages) {
        if (messages < 1 || messages > 10_000) {
            throw new PostroomException(
                    "handlers run 1 to 10000 messages at once (was " + messages + "): change concurrency");
        }
        return new Handlers(table, messages, given, codec, types);
    }

    /** Where handlers run, instead of on threads of their own; {@code Runnable::run} blocks the relay, as tests may want. */
    public Handlers executor(Executor executor) {
        return new Handlers(table, concurrency, executor, codec, types);
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        try {
            executor().execute(() -> outcome.accept(table.handle(delivery)));
        } catch (RejectedExecutionException e) {
            outcome.accept(Outcome.unavailable("the handlers take nothing at the moment: " + e.getMessage()));
        }
    }

    private synchronized Executor executor() {
        if (given != null) {
            return given;
        }
        if (closed) {
            throw new RejectedExecutionException("they are closed");
        }
        if (own == null) {
            own = HandlerThreads.start(concurrency);
        }
        return own;
    }

    /** Enough that no thread waits for the relay. */
    @Override
    public int capacity() {
        return given == null ? 2 * concurrency : Integer.MAX_VALUE;
    }

    @Override
    public String description() {
        return "handlers for " + table.describe();
    }

    /** Interrupts what is still running; an executor that was given is left alone. */
    @Override
    public synchronized void close() {
        closed = true;
        if (own != null) {
            own.shutdownNow();
        }
    }

    private static PayloadCodec codecOnTheClassPath() {
        return PayloadCodec.onTheClassPath()
                .orElseThrow(
                        () -> new PostroomException("there is no codec to decode payloads with: add postroom-json or"
                                + " postroom-json3 to the class path, or give one with codec"));
    }
}
