package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.PostroomException;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.H2;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's own https, with certificates of an authority of the test's own. */
@Tag("R55")
class OwnHttpsTest {
    @TempDir
    static Path folder;

    private static Authority authority;
    private static Path certificate;
    private static Path privateKey;

    @BeforeAll
    static void makeCertificate() throws Exception {
        authority = new Authority("Authority of a test");
        certificate = folder.resolve("tls.crt");
        privateKey = folder.resolve("tls.key");
        authority.issue("first", "127.0.0.1").write(certificate, privateKey);
    }

    private static AdminSettings settings(Path certificate, Path privateKey) {
        return AdminSettings.from(
                Settings.load(new SettingsSources(
                        null,
                        Map.of(),
                        Map.of(
                                "postroom.admin.port", "0",
                                "postroom.admin.users[0].name", "vera",
                                "postroom.admin.users[0].password", "right",
                                "postroom.admin.users[0].role", "viewer",
                                "postroom.admin.tls.certificate", certificate.toString(),
                                "postroom.admin.tls.private-key", privateKey.toString()))),
                "ada");
    }

    private static HttpClient client(SSLContext context) {
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @Test
    void https_has_a_secure_cookie_new_protocols_only_and_takes_a_renewed_certificate() throws Exception {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        try (WebServer server = WebServer.start(store, settings(certificate, privateKey), new ServerMetrics())) {
            assertThat(server.url()).startsWith("https://");
            Visit visit = new Visit(server, client(authority.trusted()));
            HttpResponse<String> signedIn = visit.post("api/v1/sign-in", "{\"name\":\"vera\",\"password\":\"right\"}");
            assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(204);
            String cookie = Visit.cookie(signedIn, "POSTROOM_SESSION");
            assertThat(cookie).contains("; Secure", "HttpOnly", "SameSite=Strict");
            assertThat(visit.get("api/v1/stats", "Cookie", Visit.pair(cookie)).statusCode())
                    .isEqualTo(200);

            assertThat(protocol(server, "TLSv1.3")).isEqualTo("TLSv1.3");
            assertThat(protocol(server, "TLSv1.2")).isEqualTo("TLSv1.2");
            assertThatThrownBy(() -> protocol(server, "TLSv1.1")).isInstanceOf(SSLException.class);

            assertThat(nameShown(server)).isEqualTo("CN=first");
            authority.issue("second", "127.0.0.1").write(certificate, privateKey);
            await().atMost(Duration.ofSeconds(60)).until(() -> nameShown(server).equals("CN=second"));
            Files.writeString(privateKey, "not a key");
            assertThat(nameShown(server)).isEqualTo("CN=second");
            authority.issue("third", "127.0.0.1").write(certificate, privateKey);
            await().atMost(Duration.ofSeconds(60)).until(() -> nameShown(server).equals("CN=third"));
        }
    }

    private static SSLSocket connected(WebServer server, String... protocols) throws Exception {
        int port = URI.create(server.url()).getPort();
        SSLSocket socket = (SSLSocket) authority.trusted().getSocketFactory().createSocket("127.0.0.1", port);
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        socket.startHandshake();
        return socket;
    }

    private static String protocol(WebServer server, String wanted) throws Exception {
        try (SSLSocket socket = connected(server, wanted)) {
            return socket.getSession().getProtocol();
        }
    }

    private static String nameShown(WebServer server) throws Exception {
        try (SSLSocket socket = connected(server)) {
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName();
        }
    }

    @Test
    void files_that_do_not_make_a_server_are_clear_errors() throws Exception {
        Path otherKey = folder.resolve("other.key");
        Path otherCertificate = folder.resolve("other.crt");
        authority.issue("other", "127.0.0.1").write(otherCertificate, otherKey);
        Path ownCertificate = folder.resolve("own.crt");
        authority.issue("own", "127.0.0.1").write(ownCertificate, folder.resolve("own.key"));
        assertThatThrownBy(() -> settings(ownCertificate, otherKey))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.admin.tls.private-key")
                .hasMessageContaining("does not belong to");
        assertThatThrownBy(() -> settings(otherKey, otherKey))
                .hasMessageContaining("postroom.admin.tls.certificate")
                .hasMessageContaining("it has no certificate");
        assertThatThrownBy(() -> settings(otherCertificate, otherCertificate))
                .hasMessageContaining("postroom.admin.tls.private-key")
                .hasMessageContaining("it has no private key");
        assertThatThrownBy(() -> settings(otherCertificate, folder.resolve("nowhere.key")))
                .hasMessageContaining("nowhere.key")
                .hasMessageContaining("cannot be read");
        Path nonsense = Files.writeString(folder.resolve("nonsense.pem"), "nonsense");
        assertThatThrownBy(() -> settings(nonsense, otherKey)).hasMessageContaining("nonsense.pem");
    }
}
