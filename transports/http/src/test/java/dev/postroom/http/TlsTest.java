package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.Identity;
import dev.postroom.testbed.TlsFront;
import dev.postroom.tls.Tls;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's certificate is for hooks.example, which a lookup of the test's own leads to the loopback address. */
@Tag("R57")
class TlsTest {
    private static final HostLookup HERE = host -> new InetAddress[] {InetAddress.getLoopbackAddress()};
    private static final String HOST = "hooks.example";
    private static final Authority AUTHORITY = new Authority("Authority of a test");
    private static final Authority ANOTHER = new Authority("Another authority");

    @TempDir
    Path folder;

    private Receiver receiver;
    private TlsFront front;

    @BeforeEach
    void start() throws Exception {
        receiver = Receiver.start();
        front = TlsFront.to(receiver.port(), AUTHORITY.issue(HOST));
    }

    @AfterEach
    void end() {
        front.close();
        receiver.close();
    }

    private Webhook to(String host) {
        return Webhook.to("https://" + host + ":" + front.port() + "/")
                .allowPrivateAddresses()
                .lookup(HERE);
    }

    private void assertOutage(Webhook webhook, String... says) {
        Outcome.Failed failed = Sending.of(webhook, "{}").failure();
        assertThat(failed.reason()).as(failed.error()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
        assertThat(failed.scope()).as(failed.error()).isEqualTo(Scope.DESTINATION);
        assertThat(failed.error()).contains("no secure connection").contains(says);
        assertThat(receiver.requests()).isEmpty();
    }

    private static void assertSent(Webhook webhook) {
        assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
    }

    @Test
    void the_certificate_is_checked_against_the_name_and_not_the_address() {
        try (Webhook webhook = to(HOST).tls(AUTHORITY.trusted())) {
            assertSent(webhook);
            assertThat(receiver.requests().get(0).header("Host")).startsWith(HOST);
        }
    }

    @Test
    void a_certificate_of_another_name_is_an_outage() {
        try (Webhook webhook = to("other.example").tls(AUTHORITY.trusted())) {
            assertOutage(webhook, "for another name", "other.example");
        }
    }

    @Test
    void a_certificate_that_nobody_vouches_for_is_an_outage() {
        try (Webhook jvms = to(HOST);
                Webhook others = to(HOST).tls(ANOTHER.trusted())) {
            assertOutage(jvms, "an authority that is not trusted", "tls.authorities");
            assertOutage(others, "an authority that is not trusted", "tls.authorities");
        }
    }

    @Test
    void a_certificate_that_has_expired_is_an_outage_until_it_is_replaced() {
        front.show(AUTHORITY.issueExpired(HOST));
        try (Webhook webhook = to(HOST).tls(AUTHORITY.trusted())) {
            assertOutage(webhook, "has expired", "clock");
            front.show(AUTHORITY.issue(HOST));
            assertSent(webhook);
        }
    }

    @Test
    void a_receiver_that_wants_a_certificate_gets_none_without_one() {
        front.demandCertificates();
        try (Webhook without = to(HOST).tls(AUTHORITY.trusted());
                Webhook strangers = to(HOST).tls(trusting("stranger", ANOTHER.issue("shop")));
                Webhook with = to(HOST).tls(trusting("shop", AUTHORITY.issue("shop")))) {
            assertHeld(without);
            assertHeld(strangers);
            assertThat(receiver.requests()).isEmpty();
            assertSent(with);
        }
    }

    /**
     * What the receiver says of it may get lost, because it ends the connection while we are writing: then it is a broken
     * connection, which counts for no message either as long as nothing gets through.
     */
    private static void assertHeld(Webhook webhook) {
        Outcome.Failed failed = Sending.of(webhook, "{}").failure();
        assertThat(failed.reason()).as(failed.error()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
        if (failed.scope() == Scope.DESTINATION) {
            assertThat(failed.error()).contains("wants a certificate of ours", "tls.private-key");
        } else {
            assertThat(failed.scope()).as(failed.error()).isEqualTo(Scope.UNCLEAR);
        }
    }

    private SSLContext trusting(String name, Identity shown) {
        Path certificate = folder.resolve(name + ".pem");
        Path key = folder.resolve(name + ".key");
        shown.write(certificate, key);
        return Tls.files()
                .authorities(AUTHORITY.write(folder.resolve("ca.pem")))
                .certificate(certificate, key)
                .context();
    }

    @Test
    void files_that_are_renewed_are_used_without_a_restart() {
        Path authorities = ANOTHER.write(folder.resolve("ca.pem"));
        try (Webhook webhook = to(HOST).tls(Tls.files().authorities(authorities).context())) {
            assertOutage(webhook, "an authority that is not trusted");
            AUTHORITY.write(authorities);
            assertSent(webhook);
        }
    }

    @Test
    void nothing_is_ever_sent_unencrypted_instead() {
        try (Webhook webhook = Webhook.to("https://127.0.0.1:" + receiver.port() + "/")
                .allowPrivateAddresses()
                .timeout(Duration.ofMillis(500))
                .tls(AUTHORITY.trusted())) {
            assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.DESTINATION);
            assertThat(receiver.requests()).isEmpty();
        }
        assertThatThrownBy(() -> Webhook.to("http://hooks.example/").tls(AUTHORITY.trusted()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("write https://");
    }
}
