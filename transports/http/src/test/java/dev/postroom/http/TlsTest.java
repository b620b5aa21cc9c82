package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's certificate is for hooks.example, which a lookup of the test's own leads to the loopback address. */
@Tag("R57")
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final HostLookup HERE = host -> new InetAddress[] {InetAddress.getLoopbackAddress()};

    @TempDir
    static Path folder;

    private static SSLContext tls;

    @BeforeAll
    static void make_a_certificate() throws Exception {
        Path file = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "hooks",
                        "-dname",
                        "CN=hooks.example",
                        "-ext",
                        "san=dns:hooks.example",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("hooks", keys.getCertificate("hooks"));
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(trusted);
        tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), others.getTrustManagers(), null);
    }

    private static Webhook to(String host, Receiver receiver) {
        return Webhook.to("https://" + host + ":" + receiver.port() + "/")
                .allowPrivateAddresses()
                .lookup(HERE);
    }

    @Test
    void the_certificate_is_checked_against_the_name_and_not_the_address() throws Exception {
        try (Receiver receiver = Receiver.secure(tls);
                Webhook webhook = to("hooks.example", receiver).tls(tls)) {
            assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
            assertThat(receiver.requests().get(0).header("Host")).startsWith("hooks.example");
        }
    }

    @Test
    void a_certificate_of_another_name_is_an_outage() throws Exception {
        try (Receiver receiver = Receiver.secure(tls);
                Webhook webhook = to("other.example", receiver).tls(tls)) {
            assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.DESTINATION);
            assertThat(receiver.requests()).isEmpty();
        }
    }

    @Test
    void a_certificate_that_nobody_vouches_for_is_an_outage() throws Exception {
        try (Receiver receiver = Receiver.secure(tls);
                Webhook webhook = to("hooks.example", receiver)) {
            Outcome.Failed failed = Sending.of(webhook, "{}").failure();
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("secure connection");
            assertThat(receiver.requests()).isEmpty();
        }
    }
}
