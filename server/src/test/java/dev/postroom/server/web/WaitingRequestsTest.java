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
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that does not answer, and more requests to it than the server has threads. */
@Tag("R51")
@Tag("R55")
class WaitingRequestsTest {
    private static final String VERA = "|Authorization: " + Visit.basic("vera", "look-only");
    private static final String SIGN_IN = "{\"name\":\"vera\",\"password\":\"look-only\"}";

    private final CountDownLatch answering = new CountDownLatch(1);
    private final AtomicInteger stuck = new AtomicInteger();
    private volatile boolean silent;
    private final List<RawRequest> open = new ArrayList<>();
    private WebServer server;

    @BeforeEach
    void start() {
        DataSource steady = H2.freshDatabase().dataSource();
        DataSource slow = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, given) -> {
                    if (silent && Thread.currentThread().getName().contains("exec")) {
                        stuck.incrementAndGet();
                        answering.await();
                    }
                    return method.invoke(steady, given);
                });
        Store store = Store.open(slow, TableNames.DEFAULT);
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

    @AfterEach
    void stop() throws IOException {
        answering.countDown();
        for (RawRequest one : open) {
            one.close();
        }
        server.close();
    }

    private RawRequest begin(String head) throws IOException {
        RawRequest request = RawRequest.begin(server, head);
        open.add(request);
        return request;
    }

    @Test
    void requests_that_wait_for_the_database_leave_threads_for_the_probe_and_the_others_get_their_turn()
            throws Exception {
        silent = true;
        List<RawRequest> stuckOnes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            stuckOnes.add(begin("GET /api/v1/messages HTTP/1.1" + VERA));
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> stuck.get() == 10);
        for (int i = 0; i < 30; i++) {
            begin("GET /api/v1/messages HTTP/1.1" + VERA);
        }
        RawRequest late = begin("GET / HTTP/1.1");
        assertThat(begin("GET /actuator/health/liveness HTTP/1.1").answer()).contains("200");
        assertThat(late.answer()).contains("503");
        RawRequest page = begin("GET /?a=b HTTP/1.1");
        RawRequest mine = begin("GET /api/v1/messages?topic=none HTTP/1.1" + VERA);
        RawRequest nobodys = begin("GET /api/v1/messages HTTP/1.1");
        RawRequest signIn = begin("POST /api/v1/sign-in HTTP/1.1|Content-Type: application/json|Content-Length: "
                        + SIGN_IN.length())
                .send(SIGN_IN);
        assertThat(begin("GET /actuator/health/liveness HTTP/1.1").answer()).contains("200");
        assertThat(stuck.get()).isEqualTo(10);
        answering.countDown();
        for (RawRequest one : stuckOnes) {
            assertThat(one.answer()).contains("200");
        }
        assertThat(page.answer()).contains("200");
        assertThat(mine.answer()).contains("200");
        assertThat(nobodys.answer())
                .as("a request that has waited is checked like any other")
                .contains("401");
        assertThat(signIn.answer()).contains("204");
    }
}
