package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What strangers may send to a server with users: it is refused in our own words, and leaves nothing in the log. */
@Tag("R55")
class UnreadableRequestsTest {
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

    private static String answer(String head) throws IOException {
        try (RawRequest request = RawRequest.begin(server, head + "|Connection: close")) {
            return request.rest();
        }
    }

    @Test
    void path_that_the_server_itself_refuses_is_answered_in_our_form() throws Exception {
        for (String path :
                List.of("/a%2fb", "/%00", "/%zz", "/a%5cb", "/..%2f", "/../x", "/;%zz=%", "/actuator/health;%zz")) {
            assertThat(answer("GET " + path + " HTTP/1.1"))
                    .as(path)
                    .startsWith("HTTP/1.1 400")
                    .contains("application/problem+json", "nosniff", "urn:postroom:problem:bad-request")
                    .doesNotContainIgnoringCase("tomcat", "<html");
        }
        assertThat(answer("GET / HTTP/1.1|Transfer-Encoding: foo"))
                .startsWith("HTTP/1.1 501")
                .contains("urn:postroom:problem:not-implemented");
    }

    @Test
    void health_of_a_part_of_a_part_is_not_found() throws Exception {
        String vera = "|Authorization: Basic "
                + Base64.getEncoder().encodeToString("vera:look-only".getBytes(StandardCharsets.UTF_8));
        for (String path : List.of("no/such", "liveness/x", "postroom/x", "//no//such", "no/such/", "a;b/c")) {
            assertThat(answer("GET /actuator/health/" + path + " HTTP/1.1" + vera))
                    .as(path)
                    .startsWith("HTTP/1.1 404")
                    .contains("application/problem+json", "/actuator/health/readiness");
        }
        assertThat(answer("GET /actuator/health/liveness/ HTTP/1.1" + vera)).doesNotContain(" 500 ");
        assertThat(answer("GET /actuator/health/liveness HTTP/1.1" + vera)).startsWith("HTTP/1.1 200");
    }

    @Test
    void nothing_that_cannot_be_answered_is_logged() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        root.addAppender(logged);
        try {
            for (String path :
                    List.of("/actuator/health?%zz", "/actuator/health/liveness?%zz", "/?%zz", "/%zz", "/error")) {
                answer("GET " + path + " HTTP/1.1");
            }
            for (String accept : List.of("text/plain", "x", "*/*;q=a", ";")) {
                assertThat(answer("GET /actuator/health HTTP/1.1|Accept: " + accept))
                        .startsWith("HTTP/1.1 406")
                        .contains("urn:postroom:problem:not-acceptable");
            }
            answer("DELETE /actuator/health HTTP/1.1");
            answer("GET /api/v1/me HTTP/1.1|Authorization: Basic !!!");
            assertThat(answer("GET /actuator/health?%zz HTTP/1.1")).startsWith("HTTP/1.1 400");
        } finally {
            root.detachAppender(logged);
        }
        assertThat(logged.list.stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO)))
                .isEmpty();
    }
}
