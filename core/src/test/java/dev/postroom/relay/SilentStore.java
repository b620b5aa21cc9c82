package dev.postroom.relay;

import dev.postroom.DatabaseException;
import dev.postroom.engine.BreakerSettings;
import dev.postroom.engine.EngineBounds;
import dev.postroom.engine.EngineSettings;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database that answers nobody until it is told to, and then only that it cannot. Cancelling does not help. */
final class SilentStore {
    private static final Duration LEASE = Duration.ofMillis(300);

    private final CountDownLatch answering = new CountDownLatch(1);
    private final Semaphore closed = new Semaphore(0);
    final AtomicInteger opened = new AtomicInteger();
    /** Thrown when a reader is opened. */
    volatile @Nullable Error failing;

    void answer() {
        answering.countDown();
    }

    /** Returns when so many desks have given their connections back. */
    void awaitClosed(int desks) {
        try {
            if (!closed.tryAcquire(desks, 1, TimeUnit.MINUTES)) {
                throw new AssertionError("only " + closed.availablePermits() + " of " + desks + " were closed");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    RelayPlan plan(RelayListener... listeners) {
        Store store = proxy(Store.class);
        RelayDatabase database =
                new RelayDatabase(proxy(DataSource.class), TableNames.DEFAULT, store, store, Duration.ofMillis(100));
        EngineSettings settings = new EngineSettings(
                "me",
                "host",
                "1",
                LEASE,
                10,
                Duration.ofMillis(5),
                Duration.ofMillis(50),
                10,
                1_000,
                RowLimits.ofPayload(1_000),
                3,
                100,
                false,
                Duration.ofSeconds(30),
                destination -> new BreakerSettings(Duration.ofSeconds(1), 20),
                EngineBounds.DEFAULT);
        Destination there = Destination.of("there", (delivery, outcome) -> {});
        return new RelayPlan(
                new Conduct(
                        "shop",
                        Duration.ofMillis(100),
                        Duration.ofMinutes(1),
                        new Retention(null, Duration.ofDays(1), Duration.ofDays(400)),
                        List.of(listeners),
                        Tracing.NONE),
                database,
                new Routing(List.of(there), List.of(), RetryPolicy.DEFAULT),
                settings,
                new Destinations(Map.of("there", 0)));
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> called(method.getName())));
    }

    private @Nullable Object called(String method) throws InterruptedException {
        return switch (method) {
            case "description" -> "silent";
            case "openLanes" -> {
                opened.incrementAndGet();
                yield proxy(LaneStore.class);
            }
            case "openFollowReader" -> openReader();
            case "openSettler" -> proxy(MessageSettler.class);
            case "cancel" -> null;
            case "close" -> {
                closed.release();
                yield null;
            }
            default -> {
                answering.await();
                throw new DatabaseException("not today", new SQLException("not today"));
            }
        };
    }

    private FollowReader openReader() {
        Error error = failing;
        if (error != null) {
            throw error;
        }
        return proxy(FollowReader.class);
    }
}
