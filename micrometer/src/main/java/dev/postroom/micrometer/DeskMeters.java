package dev.postroom.micrometer;

import dev.postroom.engine.Refusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How a relay gets on with its database. Thread-safe. */
final class DeskMeters {
    private static final double[] SIZES = {1, 10, 50, 100, 500, 1_000, 5_000};
    private static final Duration[] TIMES = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(10)
    };

    private final Meters meters;
    private final DistributionSummary readBatch;
    private final DistributionSummary settleBatch;
    private final Timer read;
    private final Timer settle;
    private final Counter duplicates;
    private final Counter overtaken;

    DeskMeters(Meters meters) {
        this.meters = meters;
        readBatch = batch("postroom.read.batch", "Messages that one read brought, if any");
        settleBatch = batch("postroom.settle.batch", "Messages whose outcomes were recorded together");
        read = meters.timer("postroom.read", "How long reading messages took", Tags.empty(), TIMES);
        settle = meters.timer("postroom.settle", "How long recording outcomes took", Tags.empty(), TIMES);
        duplicates =
                meters.counter("postroom.duplicates", "Messages that another relay had delivered too", Tags.empty());
        overtaken = meters.counter(
                "postroom.overtaken",
                "Outcomes not recorded, because an operator or another relay had changed the message",
                Tags.empty());
        for (String desk : new String[] {"keeper", "reader", "settler"}) {
            errors(desk);
        }
        for (Refusal became : Refusal.values()) {
            refused(became);
        }
    }

    private DistributionSummary batch(String name, String description) {
        return meters.summary(name, "messages", description, Tags.empty(), SIZES);
    }

    private Counter errors(String desk) {
        return meters.counter("postroom.database.errors", "What the database could not do", Tags.of("desk", desk));
    }

    private Counter refused(Refusal became) {
        return meters.counter(
                "postroom.settle.refused",
                "Outcomes that the database refused to record because of the values in them, and what became of them",
                Tags.of("became", became.name().toLowerCase(Locale.ROOT).replace('_', '-')));
    }

    void read(int messages, long nanos) {
        read.record(nanos, TimeUnit.NANOSECONDS);
        if (messages > 0) {
            readBatch.record(messages);
        }
    }

    void settled(int messages, long nanos) {
        settle.record(nanos, TimeUnit.NANOSECONDS);
        if (messages > 0) {
            settleBatch.record(messages);
        }
    }

    void duplicates(int count) {
        duplicates.increment(count);
    }

    void overtaken(int count) {
        overtaken.increment(count);
    }

    void settleRefused(Refusal became) {
        refused(became).increment();
    }

    void databaseTrouble(String desk) {
        errors(desk).increment();
    }
}
