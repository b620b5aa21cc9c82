package dev.postroom.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Thousands of messages that cannot be delivered must not become thousands of lines. */
@Tag("R52")
class OutageLogTest {
    private static final int MESSAGES = 3_000;
    private static final int ATTEMPTS = 3;
    private static final Pattern REPEATED = Pattern.compile(" repeated=([0-9]+)");

    private final Logger logger = (Logger) LoggerFactory.getLogger(Relay.class);
    private final Lines lines = new Lines();
    private final Shop shop = new Shop();
    private final AtomicInteger sent = new AtomicInteger();
    private volatile Function<Delivery, Outcome> answer = delivery -> Outcome.unavailable("connection refused");

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }

        List<String> of(String name) {
            return events.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(line -> line.startsWith(name + " "))
                    .toList();
        }
    }

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private void publishMany() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            messages.add(Message.to("orders").text("text/plain", "secret " + i));
        }
        shop.outbox.inTransaction(tx -> tx.publishAll(messages));
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    /** How many failures these lines tell of. */
    private static int told(List<String> lines) {
        int told = 0;
        for (String line : lines) {
            Matcher repeated = REPEATED.matcher(line);
            told += repeated.find() ? Integer.parseInt(repeated.group(1)) : 1;
        }
        return told;
    }

    @Test
    void outage_is_one_line_and_failing_messages_are_one_line_per_kind_and_interval() {
        publishMany();
        Transport there = Shop.answering(delivery -> {
            sent.incrementAndGet();
            return answer.apply(delivery);
        });
        try (Relay relay = shop.relay()
                .deliverTo(Destination.of("out", there)
                        .probeInterval(Duration.ofMillis(50))
                        .failuresInARow(0)) // or failing messages would be an outage as well
                .summaryEvery(Duration.ofSeconds(1))
                .start()) {
            assertThat(relay.isRunning()).isTrue();
            eventually().until(() -> !lines.of("OUTBOX_WORKER_DESTINATION_HELD").isEmpty());
            int untilHeld = sent.get();
            eventually().until(() -> sent.get() >= untilHeld + 3); // probes
            assertThat(lines.of("OUTBOX_WORKER_DESTINATION_HELD")).hasSize(1);
            assertThat(lines.of("OUTBOX_WORKER_DISPATCH_FAIL")).isEmpty();

            answer = delivery ->
                    Outcome.failed(FailureReason.HANDLER_EXCEPTION, "order " + delivery.id() + " has no price");
            eventually().until(() -> shop.store.operations().stats().dead() == MESSAGES);
            eventually().until(() -> told(lines.of("OUTBOX_WORKER_DEAD_LETTER")) == MESSAGES);
            eventually().until(() -> told(lines.of("OUTBOX_WORKER_DISPATCH_FAIL")) == MESSAGES * (ATTEMPTS - 1));
        }
        assertThat(lines.of("OUTBOX_WORKER_DESTINATION_RESUMED")).hasSize(1);
        int intervals = lines.of("OUTBOX_WORKER_SUMMARY").size();
        assertThat(intervals).isPositive();
        // A kind is told when it comes up, and counted when the interval ends.
        assertThat(lines.of("OUTBOX_WORKER_DISPATCH_FAIL")).hasSizeLessThanOrEqualTo(2 * intervals + 1);
        assertThat(lines.of("OUTBOX_WORKER_DEAD_LETTER")).hasSizeLessThanOrEqualTo(2 * intervals + 1);
        assertThat(lines.events)
                .hasSizeLessThan(20 + 5 * intervals)
                .noneSatisfy(event -> assertThat(event.getFormattedMessage()).contains("secret"));
    }
}
