package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.postroom.PostroomException;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.TlsFront;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** A destination's TLS from an application's settings, with a real handshake. */
@Tag("R26")
class ConfiguredTlsTest {
    private static final String KEY = "postroom.destinations.out";
    private static final Authority AUTHORITY = new Authority("Authority of a test");
    private static final Authority ANOTHER = new Authority("Another authority");

    @TempDir
    Path folder;

    private HttpServer web;
    private TlsFront front;

    @BeforeEach
    void start() throws Exception {
        web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        web.start();
        front = TlsFront.to(web.getAddress().getPort(), AUTHORITY.issue("127.0.0.1"));
    }

    @AfterEach
    void end() {
        front.close();
        web.stop(0);
    }

    private Transport open(ConfiguredTls tls, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putIfAbsent("type", "http");
        all.putIfAbsent("url", "https://127.0.0.1:" + front.port() + "/");
        all.put("allow-private-addresses", "true");
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        all.forEach((name, value) -> source.put(KEY + "." + name, value));
        return new ConfiguredTransport(
                        KEY,
                        new Binder(source)
                                .bind(KEY, DestinationProperties.class)
                                .get(),
                        tls)
                .open();
    }

    private static Outcome send(Transport transport) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        transport.send(
                new Delivery(
                        UUID.randomUUID(),
                        1,
                        new Stream("", "orders", null),
                        new Content(null, "text/plain", null, Map.of(), new byte[] {1}, null),
                        Instant.now(),
                        1,
                        System.nanoTime() + Duration.ofMinutes(1).toNanos()),
                outcome::complete);
        return outcome.get(60, TimeUnit.SECONDS);
    }

    private SslBundle trusting(Authority authority) {
        PemSslStoreDetails trusted =
                PemSslStoreDetails.forCertificate("file:" + authority.write(folder.resolve("bundle.pem")));
        return SslBundle.of(new PemSslStoreBundle(null, trusted));
    }

    @Test
    void a_bundle_is_used_and_followed_when_it_is_updated() throws Exception {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("partner", trusting(ANOTHER));
        try (Transport http = open(new ConfiguredTls(bundles), Map.of("tls.bundle", "partner"))) {
            assertThat(send(http))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.error()).contains("not trusted here", "tls.authorities"));
            bundles.updateBundle("partner", trusting(AUTHORITY));
            assertThat(send(http)).isEqualTo(Outcome.confirmed());
        }
    }

    @Test
    void files_and_a_certificate_of_ours_do_as_well() throws Exception {
        front.demandCertificates();
        AUTHORITY.issue("shop").write(folder.resolve("shop.pem"), folder.resolve("shop.key"));
        try (Transport http = open(
                ConfiguredTls.WITHOUT_BUNDLES,
                Map.of(
                        "tls.authorities",
                        AUTHORITY.write(folder.resolve("ca.pem")).toString(),
                        "tls.certificate",
                        folder.resolve("shop.pem").toString(),
                        "tls.private-key",
                        folder.resolve("shop.key").toString()))) {
            assertThat(send(http)).isEqualTo(Outcome.confirmed());
        }
    }

    @Test
    void what_cannot_be_meant_is_refused_and_named() {
        assertRefused(Map.of("tls.bundle", "partner"), "no SSL bundles", "spring.ssl.bundle.pem.partner");
        assertRefused(Map.of("tls.bundle", "partner", "tls.authorities", "ca.pem"), "remove one or the other");
        String authorities = AUTHORITY.write(folder.resolve("ca.pem")).toString();
        assertRefused(
                Map.of("type", "rabbitmq", "uri", "amqp://127.0.0.1", "tls.authorities", authorities),
                "write amqps://");
        assertRefused(Map.of("url", "http://127.0.0.1/", "tls.authorities", authorities), "write https://");
        assertThatThrownBy(() -> open(
                        new ConfiguredTls(new DefaultSslBundleRegistry("a", trusting(AUTHORITY))),
                        Map.of("tls.bundle", "b")))
                .hasMessageContaining("no SSL bundle called 'b'");
    }

    private void assertRefused(Map<String, String> settings, String... says) {
        assertThatThrownBy(() -> open(ConfiguredTls.WITHOUT_BUNDLES, settings))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining(KEY + ".tls is wrong")
                .hasMessageContainingAll(says);
    }
}
