package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What bodies that are too long or too slow do to a server with users: nothing. */
@Tag("R55")
@Tag("R60")
class BodiesTest {
    /** More than the server has threads. */
    private static final int CLIENTS = 60;

    private static final long MEGABYTE = 1024 * 1024;
    private static final String VERA = "|Authorization: Basic dmVyYTpsb29rLW9ubHk=";

    private static WebServer server;

    @BeforeAll
    static void start() {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        server = WebServer.start(
                store,
                new AdminSettings(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(new AdminUser("vera", "look-only", Role.VIEWER)),
                        "ada",
                        Admin.DEFAULT_STATEMENT_TIMEOUT,
                        HealthThresholds.DEFAULT),
                new ServerMetrics());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RawRequest begin(String head) throws IOException {
        return RawRequest.begin(server, head);
    }

    private static String get(String path) throws IOException {
        try (RawRequest request = begin("GET " + path + " HTTP/1.1")) {
            return request.answer();
        }
    }

    @Test
    @Tag("R51")
    void slow_bodies_hold_nobody_up_and_are_refused_in_the_end() throws Exception {
        List<RawRequest> slow = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                String length = i % 2 == 0 ? "|Content-Length: 60" : "|Transfer-Encoding: chunked";
                slow.add(begin("POST /api/v1/sign-in HTTP/1.1|Content-Type: application/json" + length)
                        .send(i % 2 == 0 ? "{\"name\"" : "40\r\n{\"name\""));
            }
            assertThat(get("/actuator/health/liveness")).contains("200");
            assertThat(slow.get(slow.size() - 1).isAnswered()).isFalse();
            for (RawRequest one : slow) {
                assertThat(one.answer()).contains("408");
            }
            assertThat(get("/actuator/health/liveness")).contains("200");
        } finally {
            for (RawRequest one : slow) {
                one.close();
            }
        }
    }

    @Test
    void announced_length_that_is_too_much_is_refused_wherever_it_goes_and_whoever_sends_it() throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
            for (String path : List.of("/", "/x", "/api/v1/stats", "/api/v1/sign-in", "/actuator/health", "/error")) {
                for (String type :
                        List.of("application/json", "application/x-www-form-urlencoded", "multipart/form-data")) {
                    String head =
                            method + " " + path + " HTTP/1.1|Content-Type: " + type + "|Content-Length: 100000000";
                    try (RawRequest stranger = begin(head);
                            RawRequest user = begin(head + VERA)) {
                        assertThat(stranger.answer()).as(head).contains("413");
                        assertThat(user.answer()).as(head).contains("413");
                    }
                }
            }
        }
    }

    @Test
    void body_without_an_end_is_cut_off_wherever_it_goes_and_whoever_sends_it() throws Exception {
        String chunk = "1000\r\n" + "x=%41&".repeat(4096 / 6) + "xxxx\r\n";
        for (String line :
                List.of("PUT /x", "POST /x", "POST /api/v1/sign-in", "POST /api/v1/pause", "GET /api/v1/stats")) {
            for (String who : List.of("", VERA)) {
                String head = line + " HTTP/1.1|Content-Type: application/x-www-form-urlencoded"
                        + "|Transfer-Encoding: chunked" + who;
                try (RawRequest request = begin(head)) {
                    assertThat(request.sendWithoutEnd(chunk, 64 * MEGABYTE))
                            .as(head)
                            .isLessThan(16 * MEGABYTE);
                }
            }
        }
        assertThat(get("/actuator/health/liveness")).contains("200");
    }

    @Test
    void sign_in_takes_few_bytes() throws Exception {
        String head = "POST /api/v1/sign-in HTTP/1.1|Content-Type: application/json|Content-Length: 9000";
        try (RawRequest request = begin(head)) {
            assertThat(request.answer()).contains("413");
        }
    }
}
