package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.TlsFront;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The settings of a destination's TLS, in the real process. */
@Tag("R26")
@Timeout(180)
class ServeOverTlsTest {
    private static final Authority AUTHORITY = new Authority("Authority of a test");

    @TempDir
    Path folder;

    @Test
    void waits_while_the_receiver_is_not_trusted_and_goes_on_when_the_files_are_replaced() throws Exception {
        String database =
                "jdbc:h2:file:" + folder.resolve("data").resolve("postroom").toAbsolutePath() + ";AUTO_SERVER=TRUE";
        Cli cli = Cli.in(folder).property("postroom.database.url", database);
        assertThat(cli.run("migrate").exit()).isZero();
        String id = cli.run("publish", "--topic", "orders.created", "--data", "x", "--json")
                .json()
                .get("id")
                .asText();
        AtomicInteger received = new AtomicInteger();
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", exchange -> {
            received.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        web.start();
        Path authorities = new Authority("Another").write(folder.resolve("ca.pem"));
        AUTHORITY.issue("shop").write(folder.resolve("shop.pem"), folder.resolve("shop.key"));
        try (TlsFront front = TlsFront.to(web.getAddress().getPort(), AUTHORITY.issue("127.0.0.1"))) {
            front.demandCertificates();
            Files.writeString(folder.resolve("postroom.yml"), """
                    postroom:
                      destinations:
                        hook:
                          type: http
                          url: https://127.0.0.1:%d/
                          allow-private-addresses: true
                          tls:
                            authorities: %s
                            certificate: %s
                            private-key: %s
                          breaker:
                            probe-interval: 500ms
                    """.formatted(
                            front.port(), authorities, folder.resolve("shop.pem"), folder.resolve("shop.key")));
            try (ServerProcess server = ServerProcess.start(folder, "serve").awaitOutput("Relaying from")) {
                await().atMost(Duration.ofSeconds(60))
                        .until(() ->
                                cli.run("doctor").out().replaceAll("\\s+", " ").contains("not trusted here"));
                assertThat(cli.run("show", id, "--json").json().get("attempts").asInt())
                        .isZero();
                assertThat(received).hasValue(0);

                AUTHORITY.write(authorities);
                await().atMost(Duration.ofSeconds(60)).until(() -> received.get() == 1);
                assertThat(server.terminate()).isZero();
            }
        } finally {
            web.stop(0);
        }
    }

    @Test
    void settings_that_would_leave_messages_unencrypted_are_refused() throws Exception {
        Path authorities = AUTHORITY.write(folder.resolve("ca.pem"));
        Files.writeString(folder.resolve("postroom.yml"), """
                postroom:
                  destinations:
                    mq:
                      type: rabbitmq
                      uri: amqp://user:hidden@127.0.0.1
                      tls:
                        authorities: %s
                """.formatted(authorities));
        Cli.Result result = Cli.in(folder).run("serve");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("postroom.destinations.mq.tls is wrong", "write amqps://")
                .doesNotContain("hidden");
    }
}
