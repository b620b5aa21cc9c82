package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A desk with a thread of its own. It ends once it is closed and has finished what it was doing; a database that does not
 * answer is given up by the connection's network timeout. What else ends the thread is told to {@code onFailure}, because
 * the answer that it owes will never come.
 */
final class DeskThread<C extends Command> implements Desk<C> {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String name;
    private final DeskWork<C> work;
    private final Mailbox answers;
    private final Consumer<RelayFailure> onFailure;
    /** Room for one command and the end. */
    private final BlockingQueue<Runnable> tray = new ArrayBlockingQueue<>(2);

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean busy;
    private volatile long givenAt;
    private volatile boolean closed;

    private DeskThread(String name, DeskWork<C> work, Mailbox answers, Consumer<RelayFailure> onFailure) {
        this.name = name;
        this.work = work;
        this.answers = answers;
        this.onFailure = onFailure;
    }

    static <C extends Command> DeskThread<C> start(
            String name, DeskWork<C> work, Mailbox answers, Consumer<RelayFailure> onFailure) {
        DeskThread<C> desk = new DeskThread<>(name, work, answers, onFailure);
        Thread thread = new Thread(desk::run, name);
        thread.setDaemon(true);
        thread.start();
        return desk;
    }

    @Override
    public void give(C command) {
        if (busy) {
            throw new IllegalStateException("a busy desk was given " + command);
        }
        givenAt = System.nanoTime();
        busy = true;
        tray.add(() -> {
            Event answer = work.carryOut(command);
            busy = false;
            answers.post(answer);
        });
    }

    private void run() {
        try (work) {
            while (!closed) {
                tray.take().run();
            }
        } catch (Throwable e) { // also an interrupt: nobody who is entitled to end this thread does it that way
            failed(e);
        } finally {
            ended.countDown();
        }
    }

    private void failed(Throwable error) {
        if (closed) {
            LOG.warn("OUTBOX_WORKER_CLOSE_FAIL thread={} error=\"{}\"", name, Clean.text(Errors.withClass(error)));
        } else {
            onFailure.accept(new RelayFailure("its thread " + name + " failed: " + Errors.withClass(error), error));
        }
    }

    @Override
    public long owesForNanos() {
        return busy ? System.nanoTime() - givenAt : 0;
    }

    @Override
    public void close() {
        closed = true;
        tray.offer(() -> {});
    }

    @Override
    public void cancel() {
        if (ended.getCount() > 0) {
            work.cancel();
        }
    }

    @Override
    public boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return name;
    }
}
