package dev.postroom.http;

import dev.postroom.handler.PlainPayload;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorStatus;

/**
 * Makes the requests of one webhook. Two workers prepare them: they sign, and may block while a host is looked up. Threads
 * that wait for answers, virtual or not, are not needed: the client waits for all of them with one. Thread-safe.
 */
final class WebhookClient implements AutoCloseable, Exchange.Owner {
    /** A relay gives no more than the capacity, but gives up earlier than we do if its own timeout is shorter. */
    static final int MOST_UNDER_WAY = 4_096;

    private static final int WORKERS = 2;
    /** Of all requests together; as much as one payload may have. */
    private static final int MOST_DECOMPRESSED = 64 << 20;
    /** How long the body of a success may take: nobody reads it, but without its end the connection is of no more use. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private final WebhookSettings settings;
    private final InstantSource clock;
    private final HttpHost target;
    private final CloseableHttpAsyncClient client;
    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;
    private final DecompressionRoom room;
    private final Set<Exchange> underWay = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    WebhookClient(WebhookSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.target = HttpHost.create(settings.url());
        this.client = Clients.start(settings);
        this.workers = new ThreadPoolExecutor(
                WORKERS, WORKERS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Clients.threads("worker"));
        workers.allowCoreThreadTimeOut(true);
        this.room = new DecompressionRoom(MOST_DECOMPRESSED, workers);
        this.timer = new ScheduledThreadPoolExecutor(1, Clients.threads("timer"));
        timer.setRemoveOnCancelPolicy(true);
    }

    void send(Delivery delivery, Consumer<Outcome> outcome) {
        if (underWay.size() >= MOST_UNDER_WAY) {
            outcome.accept(Outcome.unavailable(
                    settings.shownUrl() + " has " + underWay.size() + " requests under way and ends none of them"));
            return;
        }
        Exchange exchange = new Exchange(delivery, outcome, settings.shownUrl(), this);
        underWay.add(exchange);
        try {
            Duration timeout = settings.timeout();
            exchange.timedBy(timer.schedule(() -> exchange.expire(timeout), timeout.toNanos(), TimeUnit.NANOSECONDS));
            workers.execute(() -> call(exchange));
        } catch (RejectedExecutionException e) { // closed meanwhile
            exchange.abandon();
            exchange.cancelled();
        }
        if (closed) {
            exchange.abandon();
        }
    }

    /** Not if something unforeseen ended its I/O thread: then another client is needed. */
    boolean isUsable() {
        IOReactorStatus status = client.getStatus(); // not yet active is fine: it has just been started
        return status != IOReactorStatus.SHUTTING_DOWN && status != IOReactorStatus.SHUT_DOWN;
    }

    private void limit(Exchange exchange, Duration timeout) {
        exchange.timedBy(timer.schedule(() -> exchange.expire(timeout), timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void succeeded(Exchange exchange) {
        try {
            limit(exchange, LAST_WORDS);
        } catch (RejectedExecutionException e) {
            // Closed meanwhile, which ends everything anyway.
        }
    }

    @Override
    public void ended(Exchange exchange) {
        underWay.remove(exchange);
        room.leave(exchange);
    }

    private void call(Exchange exchange) {
        try {
            if (exchange.isOver()) {
                exchange.cancelled();
                return;
            }
            exchange.preparing();
            Delivery delivery = exchange.delivery();
            if (settings.format().decompresses(delivery)) {
                int bytes = PlainPayload.length(delivery.content().contentEncoding(), delivery.payload());
                exchange.waiting();
                room.enter(exchange, bytes, () -> request(exchange));
            } else {
                request(exchange);
            }
        } catch (Throwable e) { // whatever it was, this one is answered for and the worker goes on
            exchange.end(e);
        }
    }

    private void request(Exchange exchange) {
        try {
            if (exchange.isOver()) {
                exchange.cancelled();
                return;
            }
            exchange.preparing();
            WebhookRequest request =
                    WebhookRequest.of(exchange.delivery(), settings.format(), settings.secrets(), clock.instant());
            BasicHttpRequest head = new BasicHttpRequest("POST", settings.url());
            request.headers().forEach(head::addHeader); // names are different: setting would look for each among all
            exchange.prepared();
            exchange.calledBy(client.execute(
                    target,
                    new BasicRequestProducer(head, new BasicAsyncEntityProducer(request.body(), null)),
                    new BoundedResponse(exchange, clock),
                    null,
                    LastMoment.of(exchange),
                    exchange));
        } catch (Throwable e) { // whatever it was, this one is answered for and the worker goes on
            exchange.end(e);
        }
    }

    /** Ends what is under way: what was not sent will not be. */
    @Override
    public void close() {
        closed = true;
        underWay.forEach(Exchange::abandon);
        client.close(CloseMode.IMMEDIATE);
        workers.shutdownNow();
        timer.shutdownNow();
        underWay.clear();
    }
}
