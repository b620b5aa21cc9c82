package dev.postroom.http;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.jspecify.annotations.Nullable;

/**
 * One request and what becomes of it. Worker, I/O thread, timer and close meet here; the first who knows an outcome tells
 * it, and nobody begins to send after that. Thread-safe.
 */
final class Exchange implements FutureCallback<Void> {
    private final Delivery delivery;
    private final Consumer<Outcome> outcome;
    private final String target;
    private final Owner owner;

    private Stage stage = Stage.WAITING;
    private boolean told;
    private boolean ended;
    private boolean givenUp;
    private @Nullable Answer answer;
    private String said = "";
    private @Nullable Future<?> call;
    private @Nullable Runnable connection;
    private @Nullable Future<?> timer;

    /** How far it has come, which says who is to blame for its end. */
    private enum Stage {
        /** For a worker, or for memory, which others take. */
        WAITING,
        /** Made of the message alone: what goes wrong now is the message's fault. */
        PREPARING,
        /** Wants a connection to the receiver. */
        PREPARED,
        SENDING
    }

    /** Who made it. */
    interface Owner {
        /** It succeeded; the rest of the response may still come. */
        void succeeded(Exchange exchange);

        /** Nothing of it is left; called once. */
        void ended(Exchange exchange);
    }

    Exchange(Delivery delivery, Consumer<Outcome> outcome, String target, Owner owner) {
        this.delivery = delivery;
        this.outcome = outcome;
        this.target = target;
        this.owner = owner;
    }

    Delivery delivery() {
        return delivery;
    }

    /** Expires by this one from now on. */
    synchronized void timedBy(Future<?> limit) {
        if (timer != null) {
            timer.cancel(false);
        }
        timer = limit;
    }

    /** Can be cancelled from now on; what was given up meanwhile is, at once. */
    void calledBy(Future<?> request) {
        synchronized (this) {
            call = request;
            if (!givenUp) {
                return;
            }
        }
        cancel(request);
    }

    /** Its request is being made. */
    synchronized void preparing() {
        stage = Stage.PREPARING;
    }

    /** Others are in the way again. */
    synchronized void waiting() {
        stage = Stage.WAITING;
    }

    /** Its request is there, and wants a connection. */
    synchronized void prepared() {
        stage = Stage.PREPARED;
    }

    synchronized boolean isOver() {
        return told;
    }

    /**
     * Asked at the last moment before anything is sent: by the deadline another relay may own the message.
     *
     * @param hangUp closes the connection that it is sent by
     */
    boolean begin(Runnable hangUp) {
        boolean late;
        synchronized (this) {
            connection = hangUp;
            late = System.nanoTime() - delivery.deadlineNanos() >= 0;
            if (!told && !late) {
                stage = Stage.SENDING;
                return true;
            }
        }
        if (late) {
            tell(Outcome.notSent("there was no connection to " + target + " while its lane was known to be ours"));
        }
        return false;
    }

    /** The status is known. A success is one whatever happens to the rest of the response. */
    void answered(Answer received) {
        synchronized (this) {
            answer = received;
        }
        if (received.isSuccess()) {
            owner.succeeded(this);
            tell(received.outcome(""));
        }
    }

    synchronized void said(String text) {
        said = text;
    }

    @Override
    public void completed(@Nullable Void nothing) {
        end(new java.io.IOException("the response was incomplete"));
    }

    @Override
    public void failed(Exception error) {
        end(error);
    }

    @Override
    public void cancelled() {
        end(new java.io.IOException("the request was cancelled"));
    }

    /** Whatever goes wrong after the status has come does not change it. */
    void end(Throwable error) {
        Answer received;
        String text;
        Stage reached;
        Future<?> limit;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            received = answer;
            text = said;
            reached = stage;
            limit = timer;
        }
        if (limit != null) {
            limit.cancel(false);
        }
        owner.ended(this);
        tell(received != null ? received.outcome(text) : fault(error, reached));
    }

    private Outcome fault(Throwable error, Stage reached) {
        return reached == Stage.PREPARING ? Fault.ofMessage(error) : Fault.of(error, reached == Stage.SENDING, target);
    }

    /** It took too long. */
    void expire(Duration timeout) {
        Answer received;
        String text;
        Stage reached;
        synchronized (this) {
            received = answer;
            text = said;
            reached = stage;
        }
        giveUp(received != null ? received.outcome(text) : late(reached, " within " + timeout.toMillis() + " ms"));
    }

    /** A message that takes so long to prepare costs an attempt each time, and not its life: this machine may have slept. */
    private Outcome late(Stage reached, String within) {
        return switch (reached) {
            case WAITING -> Outcome.notSent("other requests to " + target + " were being prepared: no turn" + within);
            case PREPARING -> Outcome.failed(FailureReason.UNKNOWN, "it could not be turned into a request" + within);
            case PREPARED -> Outcome.unavailable(target + " could not be reached" + within);
            case SENDING -> Outcome.failed(FailureReason.TIMEOUT, target + " did not answer" + within);
        };
    }

    /** The relay stops. */
    void abandon() {
        boolean sent;
        synchronized (this) {
            sent = stage == Stage.SENDING;
        }
        giveUp(
                sent
                        ? Outcome.interrupted("the relay stopped before " + target + " answered")
                        : Outcome.notSent("the relay stopped before it was sent"));
    }

    private void giveUp(Outcome last) {
        tell(last);
        Future<?> request;
        synchronized (this) {
            givenUp = true;
            request = call;
        }
        if (request != null) {
            cancel(request);
        }
    }

    /**
     * Closes its connection. Cancelling alone does not always: a request that is sent before the thread that connected has returned is
     * forgotten by what can be cancelled (HttpClient 5).
     */
    private void cancel(Future<?> request) {
        request.cancel(true);
        Runnable hangUp;
        synchronized (this) {
            hangUp = connection;
        }
        if (hangUp != null) {
            hangUp.run();
        }
        cancelled();
    }

    private void tell(Outcome last) {
        synchronized (this) {
            if (told) {
                return;
            }
            told = true;
        }
        outcome.accept(last);
    }
}
