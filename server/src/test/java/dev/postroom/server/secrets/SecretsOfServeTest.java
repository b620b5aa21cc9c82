package dev.postroom.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.postroom.server.Cli;
import dev.postroom.server.ServerProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real process, with brokers that refuse and a receiver that repeats what it was sent to. */
@Tag("R72")
@Timeout(180)
class SecretsOfServeTest {
    private static final String ODD = "p@ss/w0rd \"42\"";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private String get(String url) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void neither_log_nor_page_nor_metrics_tell_the_secrets_of_destinations() throws Exception {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            byte[] said = ("nothing at " + exchange.getRequestURI()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(422, said.length);
            exchange.getResponseBody().write(said);
            exchange.close();
        });
        receiver.start();
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String file =
                folder.resolve("data").resolve("postroom").toAbsolutePath().toString();
        Cli cli = Cli.in(folder)
                .property("postroom.database.url", "jdbc:h2:file:" + file + ";AUTO_SERVER=TRUE")
                .property("postroom.database.password", "d4tabase " + ODD);
        assertThat(cli.run("migrate").exit()).isZero();
        String id = cli.run("publish", "--topic", "t", "--data", "x", "--json")
                .json()
                .get("id")
                .asText();
        Files.writeString(folder.resolve("postroom.yml"), """
                postroom:
                  database: {password: 'd4tabase p@ss/w0rd "42"', url: 'jdbc:h2:file:%s;AUTO_SERVER=TRUE'}
                  retry: {max-attempts: 1}
                  destinations:
                    rabbit: {type: rabbitmq, uri: 'amqp://ann:%s@127.0.0.1:%d'}
                    stream:
                      type: kafka
                      bootstrap-servers: '127.0.0.1:%d'
                      properties:
                        security.protocol: SASL_PLAINTEXT
                        sasl.mechanism: PLAIN
                        sasl.jaas.config: 'PlainLoginModule required username="ann" password="k4fka-geheim" broken'
                    hook:
                      type: http
                      url: 'http://127.0.0.1:%d/services/T0K3N-in-the-path?key=k3y-in-the-query'
                      secret: whsec_bmV3IHNlY3JldCBvZiAyNCBieXRlcw==
                      allow-private-addresses: true
                  routes: [{topic: '**', destinations: [rabbit, stream, hook]}]
                """.formatted(
                        file,
                        OddPasswords.encoded(ODD),
                        closed,
                        closed,
                        receiver.getAddress().getPort()));
        try (ServerProcess server =
                ServerProcess.start(folder, "serve", "--verbose").awaitOutput("Admin page at ")) {
            String url = server.out()
                    .lines()
                    .filter(line -> line.startsWith("Admin page at "))
                    .map(line -> line.substring("Admin page at ".length()))
                    .findFirst()
                    .orElseThrow();
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> server.err().contains("the receiver answered 422")
                            && server.err().contains("no connection to amqp://127.0.0.1")
                            && server.err().contains("destination=stream"));
            String seen = server.out()
                    + server.err()
                    + get(url + "api/v1/messages")
                    + get(url + "api/v1/messages/" + id)
                    + get(url + "api/v1/nodes")
                    + get(url + "api/v1/health")
                    + get(url + "actuator/prometheus")
                    + cli.run("show", id).out()
                    + cli.run("doctor", "--json").out();
            assertThat(seen).contains("nothing at ***");
            assertThat(seen)
                    .doesNotContain(OddPasswords.forms(ODD))
                    .doesNotContain("w0rd", "k4fka", "T0K3N", "k3y-in", "bmV3IHNl", "d4tabase");
        } finally {
            receiver.stop(0);
        }
    }
}
