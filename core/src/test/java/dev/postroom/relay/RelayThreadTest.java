package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A relay that begins anew, and what may keep it from that. */
@Tag("R60")
class RelayThreadTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final SilentStore store = new SilentStore();
    private final List<Throwable> crashes = new CopyOnWriteArrayList<>();
    private final RelayThread thread = new RelayThread(
            store.plan(new RelayListener() {
                @Override
                public void crashed(Throwable error, Duration pause) {
                    crashes.add(error);
                }
            }),
            new RelayClock(InstantSource.system()));
    private final Logger logger = (Logger) LoggerFactory.getLogger(Relay.class);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stop() {
        store.answer();
        thread.stop();
        logger.detachAppender(appender);
    }

    @Test
    void waits_for_a_thread_that_hangs_before_it_begins_anew() {
        thread.start();
        await().atMost(LONG).until(() -> lines.stream().anyMatch(line -> line.startsWith("OUTBOX_WORKER_HANGS ")));
        assertThat(store.opened).hasValue(1);
        assertThat(thread.isRunning()).isFalse();
        store.answer();
        await().atMost(LONG).until(() -> store.opened.get() == 2 && thread.isRunning());
    }

    @Test
    void tries_again_when_there_is_no_memory_to_begin_anew() {
        store.answer();
        thread.start();
        store.failing = new InternalError("unable to create native thread");
        thread.fail(new RelayFailure("a bug", null));
        await().atMost(LONG).until(() -> crashes.contains(store.failing));
        assertThat(thread.isRunning()).isFalse();
        store.failing = null;
        await().atMost(LONG).until(thread::isRunning);
        assertThat(thread.lastRestart().orElseThrow().times()).isGreaterThanOrEqualTo(2);
    }
}
