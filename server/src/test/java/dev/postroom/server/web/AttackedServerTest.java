package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Strangers who want the server's threads for themselves. A supervisor would end a relay that says it lives too late. */
@Tag("R51")
@Tag("R55")
class AttackedServerTest {
    /** More than the server has threads. */
    private static final int CLIENTS = 48;

    /** Far more than an answer takes, and far less than a thread that waits for one of these clients. */
    private static final Duration SOON = Duration.ofSeconds(4);

    /** Each check takes most of a second. */
    private static final int SLOW = 13;

    private static WebServer server;
    private final List<RawRequest> attack = new ArrayList<>();

    @BeforeAll
    static void start() {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        String hash = "{bcrypt}" + new BCryptPasswordEncoder(SLOW).encode("right");
        server = WebServer.start(
                store,
                new AdminSettings(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(new AdminUser("otto", hash, Role.OPERATOR)),
                        "ada",
                        Admin.DEFAULT_STATEMENT_TIMEOUT,
                        HealthThresholds.DEFAULT),
                new ServerMetrics());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void retreat() throws IOException {
        for (RawRequest one : attack) {
            one.close();
        }
    }

    private static void assertSoon(String path) throws IOException {
        long before = System.nanoTime();
        try (RawRequest request = RawRequest.begin(server, "GET " + path + " HTTP/1.1")) {
            assertThat(request.answer()).contains("200");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - before)).as(path).isLessThan(SOON);
    }

    @Test
    void clients_that_do_not_read_their_answers_keep_neither_probes_nor_the_page_waiting() throws Exception {
        String manyQuestions =
                RawRequest.whole("GET /api/v1/openapi.json HTTP/1.1").repeat(95);
        for (int i = 0; i < CLIENTS; i++) {
            attack.add(RawRequest.connect(server, 2048).send(manyQuestions));
            if (i % 8 == 7) {
                assertSoon("/actuator/health/liveness");
            }
        }
        for (int i = 0; i < 5; i++) {
            assertSoon("/actuator/health/liveness");
            assertSoon("/actuator/health/readiness");
            assertSoon("/");
        }
    }

    @Test
    void guessed_passwords_keep_neither_probes_nor_the_page_waiting() throws Exception {
        String wrong = "GET /api/v1/stats HTTP/1.1|Authorization: " + Visit.basic("otto", "wrong");
        for (int i = 0; i < CLIENTS; i++) {
            attack.add(RawRequest.begin(server, wrong));
        }
        assertSoon("/actuator/health/liveness");
        assertSoon("/");
        assertThat(attack.get(CLIENTS - 1).isAnswered()).as("still at it").isFalse();
    }

    /** With a password a probe takes as long as anything else with one. */
    @Test
    void guesses_sent_to_the_probe_do_not_keep_it_waiting() throws Exception {
        String wrong = "GET /actuator/health/liveness HTTP/1.1|Authorization: " + Visit.basic("nobody", "wrong");
        for (int i = 0; i < CLIENTS; i++) {
            attack.add(RawRequest.connect(server, 2048)
                    .send(RawRequest.whole(wrong).repeat(5)));
        }
        assertSoon("/actuator/health/liveness");
    }

    @Test
    void head_that_comes_byte_by_byte_has_a_deadline_and_a_connection_between_two_requests_has_not() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            // What the server keeps of these must not count for others.
            RawRequest.connect(server, 2048).send("GET / HT").close();
        }
        RawRequest page = RawRequest.begin(server, "GET /api/v1/me HTTP/1.1");
        attack.add(page);
        assertThat(page.answer()).contains("200");
        RawRequest slow = RawRequest.connect(server, 2048).send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ");
        attack.add(slow);
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(300))
                .until(() -> isClosed(slow));
        for (int i = 0; i < CLIENTS; i++) {
            attack.add(RawRequest.begin(server, "GET /actuator/health/liveness HTTP/1.1"));
        }
        for (RawRequest probe : attack.subList(2, attack.size())) {
            assertThat(probe.answer()).contains("200");
        }
        page.send(RawRequest.whole("GET /api/v1/me HTTP/1.1|Connection: close"));
        assertThat(page.rest()).contains("HTTP/1.1 200", "\"signInNeeded\":true");
    }

    private static boolean isClosed(RawRequest request) throws IOException {
        try {
            request.send("x");
            return false;
        } catch (SocketException closed) {
            return true;
        }
    }
}
