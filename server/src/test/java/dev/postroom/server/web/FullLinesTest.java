package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is busy, and a client who asks for more than may wait. */
@Tag("R51")
@Tag("R55")
class FullLinesTest {
    private static final int MOST_WAITING = 4;
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final Turns turns = new Turns(1, MOST_WAITING);
    private final CountDownLatch atWork = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final List<RawRequest> open = new ArrayList<>();
    private BareTomcat server;

    @BeforeEach
    void start() throws Exception {
        HttpServlet slow = new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                atWork.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
        server = new BareTomcat(
                folder,
                connector -> {},
                slow,
                new AnswerFilter(new UnsentAnswers(Long.MAX_VALUE)),
                new TurnFilter(turns, turns));
    }

    @AfterEach
    void stop() throws Exception {
        done.countDown();
        for (RawRequest one : open) {
            one.close();
        }
        server.close();
    }

    private RawRequest ask(String from) throws IOException {
        RawRequest request =
                RawRequest.connect(server.port(), from, 64 * 1024).send(RawRequest.whole("GET / HTTP/1.1"));
        open.add(request);
        return request;
    }

    @Test
    void client_who_asks_for_too_much_is_refused_himself_and_shuts_nobody_out() throws Exception {
        ask("127.0.0.1");
        atWork.await();
        for (int i = 1; i <= MOST_WAITING; i++) {
            int waiting = i;
            ask("127.0.0.1");
            await().atMost(LONG).until(() -> turns.waiting() == waiting);
        }
        assertThat(ask("127.0.0.1").answer())
                .as("there is no room for his next")
                .contains("503");
        RawRequest other = ask("127.0.0.2");
        assertThat(open.get(MOST_WAITING).answer()).as("his last makes room").contains("503");
        done.countDown();
        assertThat(other.answer()).contains("200");
        assertThat(open.get(0).answer()).contains("200");
    }
}
