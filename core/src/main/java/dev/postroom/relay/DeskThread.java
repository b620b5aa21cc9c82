package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A desk with a thread of its own. It ends once it is closed and has finished what it was doing; a database that does not
 * answer is given up by the connection's network timeout.
 */
final class DeskThread<C extends Command> implements Desk<C> {
    private final DeskWork<C> work;
    private final Mailbox answers;
    /** Room for one command and the end. */
    private final BlockingQueue<Runnable> tray = new ArrayBlockingQueue<>(2);

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean busy;
    private volatile boolean closed;

    private DeskThread(DeskWork<C> work, Mailbox answers) {
        this.work = work;
        this.answers = answers;
    }

    static <C extends Command> DeskThread<C> start(String name, DeskWork<C> work, Mailbox answers) {
        DeskThread<C> desk = new DeskThread<>(work, answers);
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
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    @Override
    public void close() {
        closed = true;
        tray.offer(() -> {});
    }

    @Override
    public boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }
}
