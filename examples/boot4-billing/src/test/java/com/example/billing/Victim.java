package com.example.billing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A program that is killed in the middle of its work, and started again at once. */
final class Victim implements AutoCloseable {
    private final String name;
    private final Program program;
    private final String work;
    private final Consumer<String> listener;
    private Life life;

    private record Life(Process process, Leash leash, AtomicInteger done) {}

    /** @param work what a line begins with that tells of a piece of work */
    Victim(String name, Program program, String work, Consumer<String> listener) throws IOException {
        this.name = name;
        this.program = program;
        this.work = work;
        this.listener = listener;
        this.life = born();
    }

    private Life born() throws IOException {
        AtomicInteger done = new AtomicInteger();
        Process process = program.start(name, line -> {
            if (line.startsWith(work)) {
                done.incrementAndGet();
            }
            listener.accept(line);
        });
        return new Life(process, new Leash(process), done);
    }

    /** Waits until it has done so much since its start. */
    void awaitWork(int pieces) {
        await().alias(name + " does " + pieces + " pieces of work")
                .atMost(Duration.ofMinutes(3))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> life.done().get() >= pieces || !life.process().isAlive());
        if (!life.process().isAlive()) {
            throw new IllegalStateException(
                    name + " ended by itself with exit code " + life.process().exitValue());
        }
    }

    /** Kills it when it has done so much, and starts it again without waiting for that. */
    void killAfter(int pieces) throws Exception {
        awaitWork(pieces);
        kill();
        life = born();
    }

    /** Ends it in an orderly way. */
    void stop() throws InterruptedException {
        life.process().destroy();
        if (!life.process().waitFor(180, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " did not stop within three minutes");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    /** As {@code kill -9}. */
    private void kill() throws InterruptedException {
        // First, or it could kill whoever gets the same id next.
        life.leash().close();
        life.process().destroyForcibly();
        if (!life.process().waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not die");
        }
    }
}
