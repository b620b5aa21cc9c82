package dev.postroom.kafka;

import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Gives records to the producer, on a thread of its own, and answers for them. See the package's description for how it
 * keeps order. Everything in here but {@link #send}, {@link #completed} and {@link #close} is for that thread.
 */
final class Publisher implements AutoCloseable {
    /** A relay has fewer under way; but it may give up earlier than we do. */
    private static final int MOST = 16_384;
    /** Above a relay's default timeout a message that still waits here would be sent a second time meanwhile. */
    private static final long LONGEST_WAIT = Duration.ofSeconds(5).toNanos();
    /** What is given back at once comes back at once. */
    private static final long PAUSE = Duration.ofMillis(100).toNanos();

    /** After an outage everything fails alike for so long, instead of making one producer after the other. */
    private static final long REST = Duration.ofMillis(500).toNanos();

    /** So many are taken from the queue at a time. */
    private static final int HANDFUL = 256;

    private static final Duration SHORTEST_DEADLINE = Duration.ofMillis(500);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(3);

    private final KafkaSettings settings;
    private final BlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
    private final Set<Parcel> inHand = ConcurrentHashMap.newKeySet();
    private final Streams streams = new Streams();
    private final KafkaRecords records;
    private final Map<String, List<Parcel>> waitingForTopic = new HashMap<>();
    private final PriorityQueue<Held> held = new PriorityQueue<>((a, b) -> Long.signum(a.until() - b.until()));
    private final TopicLookup lookup;
    private final Thread thread;
    private volatile @Nullable Session session;
    private volatile @Nullable Outage outage;
    private volatile boolean closed;

    private record Outage(Outcome outcome, long until) {}

    /** Given back at its time, and not before. */
    private record Held(Parcel parcel, long until, String why) {}

    Publisher(KafkaSettings settings) {
        this.settings = settings;
        this.records = new KafkaRecords(settings.format());
        this.lookup = new TopicLookup(inbox);
        this.thread = new Thread(this::run, "postroom-kafka-sender");
        thread.setDaemon(true);
        thread.start();
    }

    /** Never blocks. */
    void send(Parcel parcel) {
        if (closed) {
            parcel.answer(Outcome.notSent("the transport is closed"));
            return;
        }
        if (inHand.size() >= MOST) {
            streams.breakAt(parcel, System.nanoTime() + Streams.LINGER, System.nanoTime());
            parcel.answer(Outcome.unavailable(MOST + " messages wait for Kafka already"));
            return;
        }
        inHand.add(parcel);
        inbox.add(() -> takeSafely(parcel));
        if (closed) {
            stopped(parcel);
        }
    }

    private void run() {
        List<Runnable> next = new ArrayList<>(HANDFUL);
        while (!closed) {
            try {
                giveBackDue(System.nanoTime());
                if (inbox.drainTo(next, HANDFUL) == 0) {
                    Runnable first = inbox.poll(pause(), TimeUnit.NANOSECONDS);
                    if (first != null) {
                        next.add(first);
                    }
                }
                for (Runnable work : next) {
                    if (closed) {
                        return; // whoever closes answers for the rest
                    }
                    work.run();
                }
                next.clear();
            } catch (InterruptedException e) {
                return; // only by close
            }
        }
    }

    private long pause() {
        Held first = held.peek();
        long most = Duration.ofSeconds(1).toNanos();
        return first == null ? most : Math.max(0, Math.min(most, first.until() - System.nanoTime()));
    }

    /** Whatever one message does, it is answered for and the thread goes on. */
    private void takeSafely(Parcel parcel) {
        try {
            take(parcel);
        } catch (Throwable e) {
            fail(parcel, Failures.of(e, true).outcome());
        }
    }

    private void take(Parcel parcel) {
        long now = System.nanoTime();
        if (now - parcel.delivery.deadlineNanos() >= 0 || now - parcel.receivedAt > LONGEST_WAIT) {
            hold(parcel, now, "its turn did not come while its lane was known to be ours");
            return;
        }
        if (!KafkaRecords.isTopic(parcel.topic)) {
            fail(parcel, Failures.noTopic(parcel.topic));
            return;
        }
        Outage before = outage;
        if (before != null && now - before.until() < 0) {
            fail(parcel, before.outcome());
            return;
        }
        Session open;
        try {
            open = session(parcel, now);
        } catch (RuntimeException e) {
            Outcome outcome = Failures.of(e, false).outcome();
            rest(outcome);
            fail(parcel, outcome);
            return;
        }
        if (open == null) {
            hold(parcel, now + PAUSE, "too little time was left until its deadline");
        } else if (open.knows(parcel.topic)) {
            give(parcel, open);
        } else {
            List<Parcel> others = waitingForTopic.computeIfAbsent(parcel.topic, topic -> new ArrayList<>());
            others.add(parcel);
            if (others.size() == 1) {
                lookup.find(parcel.topic, open, error -> found(parcel.topic, open, error));
            }
        }
    }

    /** The producer, a new one if there is none; null when it could do nothing in the time that is left. */
    private @Nullable Session session(Parcel parcel, long now) {
        Session open = session;
        if (open == null || open.isOver()) {
            Duration left = Duration.ofNanos(parcel.delivery.deadlineNanos() - now);
            if (left.compareTo(SHORTEST_DEADLINE) < 0) {
                return null;
            }
            open = new Session(settings, ProducerTimes.within(left, settings.properties()));
            session = open;
            if (closed) {
                open.end();
            }
        }
        return open;
    }

    private void found(String topic, Session open, @Nullable Exception error) {
        List<Parcel> parcels = waitingForTopic.remove(topic);
        if (parcels == null) {
            return;
        }
        if (error == null) {
            open.learned(topic);
            parcels.forEach(this::takeSafely);
            return;
        }
        Verdict verdict = Failures.of(error, open.isConnected());
        if (verdict.endsProducer()) {
            rest(verdict.outcome());
            open.end();
            // Whoever waits for another topic of the same broker waits for nothing.
            waitingForTopic.values().forEach(parcels::addAll);
            waitingForTopic.clear();
        }
        parcels.forEach(parcel -> fail(parcel, verdict.outcome()));
    }

    private boolean isHeldForLateness(Parcel parcel, Session open) {
        long now = System.nanoTime();
        boolean late = parcel.delivery.deadlineNanos() - now < TimeUnit.MILLISECONDS.toNanos(open.times.delivery());
        if (late) {
            hold(parcel, now + PAUSE, "too little time was left until its deadline");
        }
        return late;
    }

    private void give(Parcel parcel, Session open) {
        if (isHeldForLateness(parcel, open)) {
            return;
        }
        ProducerRecord<byte[], byte[]> record;
        try {
            record = records.of(parcel.delivery, parcel.topic);
        } catch (Throwable e) { // the message's own fault, whatever it is: nothing of Kafka was asked yet
            fail(parcel, Failures.ofMessage(e));
            return;
        }
        if (isHeldForLateness(parcel, open)) { // to decompress a large payload took its time
            return;
        }
        long now = System.nanoTime();
        if (!streams.enter(parcel, now)) {
            hold(parcel, now + Streams.LINGER, "a message before it was not delivered");
            return;
        }
        try {
            parcel.withProducer = true;
            // The callback tells all that the future would.
            var unused = open.producer().send(record, (metadata, error) -> completed(parcel, open, error));
        } catch (Throwable e) { // the producer throws some failures instead of telling its callback
            completed(parcel, open, e);
        }
    }

    /** On the producer's thread, or on ours if the producer did not even take it. */
    private void completed(Parcel parcel, Session open, @Nullable Throwable error) {
        if (parcel.isAnswered()) {
            return;
        }
        streams.leave(parcel);
        if (error == null) {
            answer(parcel, Outcome.confirmed());
        } else if (closed) {
            stopped(parcel);
        } else {
            Verdict verdict = Failures.of(error, open.isConnected());
            long now = System.nanoTime();
            boolean laterOnes = streams.breakAt(parcel, now + Streams.LINGER, now);
            open.forget(parcel.topic);
            if (verdict.endsProducer() && !open.isOver()) {
                rest(verdict.outcome());
            }
            if (laterOnes || verdict.endsProducer()) {
                open.end(); // before it sends them
            }
            answer(parcel, verdict.outcome());
        }
    }

    private void rest(Outcome outcome) {
        outage = new Outage(outcome, System.nanoTime() + REST);
    }

    /** Gives it back, but not before its time; until then those behind it in its stream are held back too. */
    private void hold(Parcel parcel, long until, String why) {
        streams.breakAt(parcel, until + Streams.LINGER, System.nanoTime());
        held.add(new Held(parcel, until, why));
    }

    private void giveBackDue(long now) {
        Held first = held.peek();
        while (first != null && now - first.until() >= 0) {
            held.remove();
            fail(first.parcel(), Outcome.notSent(first.why()));
            first = held.peek();
        }
    }

    private void fail(Parcel parcel, Outcome outcome) {
        long now = System.nanoTime();
        streams.breakAt(parcel, now + Streams.LINGER, now);
        answer(parcel, outcome);
    }

    private void answer(Parcel parcel, Outcome outcome) {
        inHand.remove(parcel);
        parcel.answer(outcome);
    }

    private void stopped(Parcel parcel) {
        answer(
                parcel,
                parcel.withProducer
                        ? Outcome.interrupted("the relay stopped before Kafka confirmed it")
                        : Outcome.notSent("the relay stopped before it was sent"));
    }

    /** Ends what is under way: what the producer has not got will not be sent. */
    @Override
    public void close() {
        closed = true;
        lookup.close();
        Session open = session;
        if (open != null) {
            open.end();
        }
        thread.interrupt();
        try {
            thread.join(STOP_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        open = session;
        if (open != null) {
            open.end(); // the thread may have made another meanwhile
        }
        inHand.forEach(this::stopped);
    }
}
