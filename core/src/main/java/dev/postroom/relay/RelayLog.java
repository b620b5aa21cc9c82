package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.Refusal;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a relay does to the log: one stable event name each, then key=value. Changes of state are INFO, failures WARN
 * and only the first of a kind per interval, single messages DEBUG. Never a payload. For one thread.
 */
final class RelayLog implements EngineListener {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String relay;
    private final String routing;
    private final long intervalNanos;
    private final Repeats failures = new Repeats();
    private final Repeats deadLetters = new Repeats();
    private final Repeats troubles = new Repeats();
    private final Repeats refusals = new Repeats();
    private final Repeats unrouted = new Repeats();
    private RelayTally tally = new RelayTally();
    private int lanes;
    private long nextSummary = Long.MIN_VALUE;

    RelayLog(String relay, String routing, Duration summaryInterval) {
        this.relay = relay;
        this.routing = routing;
        this.intervalNanos = summaryInterval.toNanos();
    }

    @Override
    public void lanes(int owned, String why) {
        lanes = owned;
        LOG.info("OUTBOX_WORKER_LANES relay={} owned={} why=\"{}\"", relay, owned, Clean.text(why));
    }

    @Override
    public void standsBy(LaneStore.LiveNode inForce) {
        LOG.info(
                "OUTBOX_WORKER_STANDBY relay={} routing={} inForce={} of={} host=\"{}\" why=\"its routes differ from"
                        + " those in force; 'postroom doctor' shows both\"",
                relay,
                routing,
                inForce.routing(),
                inForce.node(),
                Clean.text(inForce.host()));
    }

    @Override
    public void isInForce() {
        LOG.info("OUTBOX_WORKER_IN_FORCE relay={} routing={}", relay, routing);
    }

    @Override
    public void fetched(int rows) {
        tally.fetched += rows;
        LOG.debug("OUTBOX_WORKER_FETCH relay={} rows={}", relay, rows);
    }

    @Override
    public void delivered(StoredMessage message, String destination) {
        tally.delivered++;
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "OUTBOX_WORKER_DISPATCH_SUCCESS relay={} id={} topic={} destination={}",
                    relay,
                    message.key().id(),
                    Clean.word(message.stream().topic()),
                    destination);
        }
    }

    @Override
    public void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryAfterMillis) {
        boolean dead = retryAfterMillis < 0;
        String where = destination == null ? "" : destination;
        if (dead) {
            tally.dead++;
        } else {
            tally.failed++;
        }
        if ((dead ? deadLetters : failures).isFirst(where, reason + " " + error)) {
            LOG.warn(
                    "{} relay={} id={} topic={} destination={} reason={} attempts={}{} error=\"{}\"",
                    dead ? "OUTBOX_WORKER_DEAD_LETTER" : "OUTBOX_WORKER_DISPATCH_FAIL",
                    relay,
                    message.key().id(),
                    Clean.word(message.stream().topic()),
                    where,
                    reason,
                    attempts,
                    dead ? "" : " retryInMs=" + retryAfterMillis,
                    Clean.text(error));
        }
    }

    @Override
    public void duplicates(int count) {
        tally.duplicates += count;
        LOG.info("OUTBOX_WORKER_DUPLICATE relay={} messages={} why=\"already settled by another relay\"", relay, count);
    }

    @Override
    public void overtaken(int count) {
        tally.overtaken += count;
        LOG.info(
                "OUTBOX_WORKER_SKIP_PROCESSED relay={} messages={} why=\"changed by an operator or another relay\"",
                relay,
                count);
    }

    @Override
    public void breaker(String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {
        LOG.info(
                "{} relay={} destination={} topic={} type={} why=\"{}\"",
                open ? "OUTBOX_WORKER_DESTINATION_HELD" : "OUTBOX_WORKER_DESTINATION_RESUMED",
                relay,
                destination,
                topic == null ? "*" : Clean.word(topic),
                type == null ? "*" : Clean.word(type),
                Clean.text(why));
    }

    @Override
    public void unrouted(String topic, boolean held) {
        if (held && unrouted.isFirst(topic, "")) {
            LOG.warn(
                    "OUTBOX_WORKER_NO_ROUTE relay={} topic={} why=\"no route matches: its messages are held\"",
                    relay,
                    Clean.word(topic));
        }
    }

    @Override
    public void settleRefused(RowKey key, Refusal became, String error) {
        tally.refused++;
        if (refusals.isFirst(became.name(), error)) {
            LOG.warn(
                    "OUTBOX_WORKER_SETTLE_REFUSED relay={} id={} became={} error=\"{}\"",
                    relay,
                    key.id(),
                    became,
                    Clean.text(error));
        }
    }

    @Override
    public void databaseTrouble(String desk, String error) {
        tally.troubles++;
        if (troubles.isFirst(desk, error)) {
            LOG.warn("OUTBOX_WORKER_DATABASE relay={} desk={} error=\"{}\"", relay, desk, Clean.text(error));
        }
    }

    long restNanos(long now) {
        return nextSummary == Long.MIN_VALUE ? intervalNanos : nextSummary - now;
    }

    /** Sums up when it is time to. */
    void turn(long now, int inMemory) {
        if (nextSummary == Long.MIN_VALUE) {
            nextSummary = now + intervalNanos;
        } else if (now >= nextSummary) {
            nextSummary = now + intervalNanos;
            summarise(inMemory);
        }
    }

    private void summarise(int inMemory) {
        failures.forEachRepeated((where, count) -> repeated("OUTBOX_WORKER_DISPATCH_FAIL", where, count));
        deadLetters.forEachRepeated((where, count) -> repeated("OUTBOX_WORKER_DEAD_LETTER", where, count));
        refusals.forEachRepeated((where, count) -> repeated("OUTBOX_WORKER_SETTLE_REFUSED", where, count));
        troubles.forEachRepeated((where, count) -> repeated("OUTBOX_WORKER_DATABASE", where, count));
        unrouted.forEachRepeated((where, count) -> repeated("OUTBOX_WORKER_NO_ROUTE", where, count));
        String line = "OUTBOX_WORKER_SUMMARY relay={} seconds={} lanes={} inMemory={} {}";
        long seconds = intervalNanos / 1_000_000_000;
        if (tally.isEmpty()) {
            LOG.debug(line, relay, seconds, lanes, inMemory, tally);
        } else {
            LOG.info(line, relay, seconds, lanes, inMemory, tally);
            tally = new RelayTally();
        }
    }

    private void repeated(String event, String kind, int count) {
        LOG.warn("{} relay={} repeated={} kind=\"{}\"", event, relay, count, Clean.text(kind));
    }
}
