package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much memory all bodies have together, before anybody is asked who he is. */
@Tag("R55")
@Tag("R60")
class BodyMemoryTest {
    private static final String ME = "127.0.0.1";
    private static final String SOMEBODY_ELSE = "127.0.0.2";
    private static final int MOST = 128 * 1024;
    private static final int LARGE = 60_000;

    @TempDir
    Path folder;

    private final BodyBudget budget = new BodyBudget(MOST);
    private BareTomcat server;

    @BeforeEach
    void start() throws Exception {
        server = server(Duration.ofMinutes(1));
    }

    private BareTomcat server(Duration deadline) throws Exception {
        return new BareTomcat(
                folder,
                connector -> {},
                new Count(),
                new AnswerFilter(new UnsentAnswers(Long.MAX_VALUE)),
                new BodyFilter(budget, deadline));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** Says how long the body was. */
    private static final class Count extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().equals("/fail")) {
                throw new IOException("on purpose");
            }
            response.setHeader(
                    "X-Bytes", Integer.toString(request.getInputStream().readAllBytes().length));
        }
    }

    private RawRequest post(String path, String from, int announced, int sent) throws IOException {
        return RawRequest.connect(server.port(), from, 64 * 1024)
                .send(RawRequest.whole("POST " + path + " HTTP/1.1|Connection: close|Content-Length: " + announced))
                .send("x".repeat(sent));
    }

    private String answer(String path, String from, int bytes) throws IOException {
        try (RawRequest request = post(path, from, bytes, bytes)) {
            return request.rest();
        }
    }

    /** Most of what one client may have. */
    private RawRequest unfinished() throws IOException {
        RawRequest request = post("/", ME, LARGE, LARGE - 1);
        await().atMost(Duration.ofSeconds(30)).until(() -> budget.bytes() > LARGE - 1);
        return request;
    }

    private void assertNothingIsKept() {
        await().atMost(Duration.ofSeconds(30)).until(() -> budget.bytes() == 0);
    }

    @Test
    void body_for_which_there_is_no_room_is_refused_and_fits_later() throws Exception {
        try (RawRequest first = unfinished()) {
            assertThat(answer("/", ME, LARGE)).startsWith("HTTP/1.1 503").contains("Retry-After: 2", "busy");
            first.send("x");
            assertThat(first.rest()).startsWith("HTTP/1.1 200").contains("X-Bytes: " + LARGE);
        }
        assertThat(answer("/", ME, LARGE)).startsWith("HTTP/1.1 200");
        assertNothingIsKept();
    }

    @Test
    void client_who_has_all_that_he_may_have_leaves_room_for_others() throws Exception {
        try (RawRequest first = unfinished()) {
            assertThat(answer("/", SOMEBODY_ELSE, 20_000))
                    .startsWith("HTTP/1.1 200")
                    .contains("X-Bytes: 20000");
            assertThat(first.isAnswered()).isFalse();
        }
    }

    @Test
    void announced_length_takes_no_room() throws Exception {
        try (RawRequest first = post("/", ME, LARGE, 0);
                RawRequest second = post("/", ME, LARGE, 0)) {
            assertThat(answer("/", ME, LARGE)).startsWith("HTTP/1.1 200");
            assertThat(first.isAnswered() || second.isAnswered()).isFalse();
        }
    }

    @Test
    void room_is_released_when_the_client_goes() throws Exception {
        unfinished().close();
        assertNothingIsKept();
    }

    @Test
    void room_is_released_when_the_body_takes_too_long() throws Exception {
        server.close();
        server = server(Duration.ofSeconds(1));
        try (RawRequest slow = unfinished()) {
            assertThat(slow.answer()).contains("408");
            assertNothingIsKept();
        }
    }

    @Test
    void room_is_released_when_the_body_is_too_long() throws Exception {
        try (RawRequest request = RawRequest.connect(server.port(), ME, 64 * 1024)
                .send(RawRequest.whole("POST /sign-in HTTP/1.1|Transfer-Encoding: chunked"))
                .send("4000\r\n" + "x".repeat(0x4000))) {
            assertThat(request.answer()).contains("413");
            assertNothingIsKept();
        }
    }

    @Test
    void room_is_released_when_the_request_fails() throws Exception {
        assertThat(answer("/fail", ME, LARGE)).startsWith("HTTP/1.1 500");
        assertNothingIsKept();
    }
}
