package dev.postroom.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R25")
@Tag("R57")
class TroubleTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private static Webhook to(String url) {
        return Webhook.to(url).allowPrivateAddresses().timeout(SHORT);
    }

    private static RawReceiver hanging() throws Exception {
        return new RawReceiver((socket, out) -> {});
    }

    private static void assertFailed(Outcome.Failed failed, FailureReason reason, Scope scope) {
        assertThat(failed.reason()).as(failed.error()).isEqualTo(reason);
        assertThat(failed.scope()).as(failed.error()).isEqualTo(scope);
    }

    @Nested
    class A_receiver_that {
        @Test
        void hangs_is_given_up_and_its_connection_closed() throws Exception {
            try (RawReceiver receiver = hanging();
                    Webhook webhook = to(receiver.url())) {
                Outcome.Failed failed = Sending.of(webhook, "{}").failure();
                assertFailed(failed, FailureReason.TIMEOUT, Scope.UNCLEAR);
                assertThat(failed.error()).contains("300 ms");
                Awaitility.await().until(() -> receiver.openConnections() == 0);
            }
        }

        @Test
        void sends_its_headers_drop_by_drop_gains_no_time() throws Exception {
            CountDownLatch end = new CountDownLatch(1);
            try (RawReceiver receiver = new RawReceiver((socket, out) -> {
                        RawReceiver.write(out, "HTTP/1.1 200 OK\r\n");
                        for (int i = 0; !end.await(50, java.util.concurrent.TimeUnit.MILLISECONDS); i++) {
                            RawReceiver.write(out, "x-" + i + ": 1\r\n");
                        }
                    });
                    Webhook webhook = to(receiver.url())) {
                assertFailed(Sending.of(webhook, "{}").failure(), FailureReason.TIMEOUT, Scope.UNCLEAR);
                end.countDown();
            }
        }

        @Test
        void closes_without_an_answer_may_have_got_it() throws Exception {
            try (RawReceiver receiver = new RawReceiver((socket, out) -> socket.close());
                    Webhook webhook = to(receiver.url())) {
                assertFailed(Sending.of(webhook, "{}").failure(), FailureReason.TRANSPORT_UNAVAILABLE, Scope.UNCLEAR);
                assertThat(receiver.requests()).isEqualTo(1);
            }
        }

        @Test
        void closes_in_the_middle_of_the_status_line_may_have_got_it() throws Exception {
            try (RawReceiver receiver = new RawReceiver((socket, out) -> {
                        RawReceiver.write(out, "HTTP/1.1 2");
                        socket.close();
                    });
                    Webhook webhook = to(receiver.url())) {
                assertFailed(Sending.of(webhook, "{}").failure(), FailureReason.TRANSPORT_UNAVAILABLE, Scope.UNCLEAR);
            }
        }

        @Test
        void talks_nonsense_may_have_got_it() throws Exception {
            try (RawReceiver receiver =
                            new RawReceiver((socket, out) -> RawReceiver.write(out, "220 mail ready\r\n\r\n"));
                    Webhook webhook = to(receiver.url())) {
                assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.UNCLEAR);
            }
        }

        @Test
        void closes_in_the_middle_of_the_body_has_answered() throws Exception {
            try (RawReceiver receiver = new RawReceiver((socket, out) -> {
                        RawReceiver.write(out, "HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\nbroken");
                        socket.close();
                    });
                    Webhook webhook = to(receiver.url())) {
                Outcome.Failed failed = Sending.of(webhook, "{}").failure();
                assertFailed(failed, FailureReason.DEPENDENCY_FAILURE, Scope.MESSAGE);
                assertThat(failed.error()).contains("broken");
            }
        }

        @Test
        void never_ends_a_success_has_succeeded() throws Exception {
            try (RawReceiver receiver = new RawReceiver(
                            (socket, out) -> RawReceiver.write(out, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"));
                    Webhook webhook = to(receiver.url()).timeout(Duration.ofMinutes(1))) {
                assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
                Awaitility.await().until(() -> receiver.openConnections() == 0);
            }
        }

        @Test
        void answers_without_end_is_cut_off() throws Exception {
            try (RawReceiver receiver = new RawReceiver((socket, out) -> {
                        RawReceiver.write(out, "HTTP/1.1 400 No\r\n\r\n");
                        while (true) {
                            RawReceiver.write(out, "more ".repeat(1_000));
                        }
                    });
                    Webhook webhook = to(receiver.url()).timeout(Duration.ofMinutes(1))) {
                Outcome.Failed failed = Sending.of(webhook, "{}").failure();
                assertFailed(failed, FailureReason.VALIDATION_FAILURE, Scope.MESSAGE);
                assertThat(failed.error()).contains("more more").hasSizeLessThan(600);
                Awaitility.await().until(() -> receiver.openConnections() == 0);
            }
        }

        @Test
        @Tag("R26")
        void is_not_there_is_an_outage() throws Exception {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            try (Webhook webhook = to("http://127.0.0.1:" + port + "/secret-path")) {
                Outcome.Failed failed = Sending.of(webhook, "{}").failure();
                assertFailed(failed, FailureReason.TRANSPORT_UNAVAILABLE, Scope.DESTINATION);
                assertThat(failed.error()).contains("127.0.0.1:" + port).doesNotContain("secret-path");
            }
        }

        @Test
        @Tag("R26")
        void has_no_address_is_an_outage() {
            try (Webhook webhook = to("http://hooks.example/").lookup(host -> {
                throw new UnknownHostException(host);
            })) {
                Outcome.Failed failed = Sending.of(webhook, "{}").failure();
                assertFailed(failed, FailureReason.TRANSPORT_UNAVAILABLE, Scope.DESTINATION);
                assertThat(failed.error()).contains("hooks.example");
            }
        }

        @Test
        void speaks_no_tls_is_an_outage() throws Exception {
            try (RawReceiver receiver = new RawReceiver((socket, out) -> {});
                    Webhook webhook = to("https://127.0.0.1:" + receiver.port() + "/")) {
                assertFailed(
                        Sending.of(webhook, "{}").failure(), FailureReason.TRANSPORT_UNAVAILABLE, Scope.DESTINATION);
            }
        }
    }

    @Nested
    class The_deadline {
        @Test
        void that_has_passed_lets_nothing_go() throws Exception {
            try (Receiver receiver = Receiver.start();
                    Webhook webhook = to(receiver.url())) {
                Outcome.Failed failed = Sending.of(webhook, Sending.delivery(Map.of(), "{}", Duration.ofNanos(-1)))
                        .failure();
                assertThat(failed.scope()).isEqualTo(Scope.NOT_SENT);
                assertThat(receiver.requests()).isEmpty();
            }
        }

        @Test
        void that_passes_while_connecting_lets_nothing_go() throws Exception {
            CountDownLatch passed = new CountDownLatch(1);
            try (Receiver receiver = Receiver.start();
                    Webhook webhook = to("http://hooks.example:" + receiver.port() + "/")
                            .timeout(Duration.ofSeconds(20))
                            .lookup(host -> {
                                awaitUninterrupted(passed);
                                return new InetAddress[] {InetAddress.getLoopbackAddress()};
                            })) {
                Sending sending = Sending.of(webhook, Sending.delivery(Map.of(), "{}", Duration.ofMillis(100)));
                long start = System.nanoTime();
                Awaitility.await()
                        .until(() -> System.nanoTime() - start
                                > Duration.ofMillis(150).toNanos());
                passed.countDown();
                assertThat(sending.failure().scope()).isEqualTo(Scope.NOT_SENT);
                assertThat(receiver.requests()).isEmpty();
            }
        }

        private static void awaitUninterrupted(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Test
        void of_a_lookup_that_hangs_is_the_timeout_and_nothing_is_sent_afterwards() throws Exception {
            CountDownLatch over = new CountDownLatch(1);
            try (Receiver receiver = Receiver.start();
                    Webhook webhook = to("http://hooks.example:" + receiver.port() + "/")
                            .lookup(host -> {
                                awaitUninterrupted(over);
                                return new InetAddress[] {InetAddress.getLoopbackAddress()};
                            })) {
                Sending sending = Sending.of(webhook, "{}");
                assertFailed(sending.failure(), FailureReason.TRANSPORT_UNAVAILABLE, Scope.DESTINATION);
                over.countDown();
                // The next one shows that the worker has come back from the first.
                assertThat(Sending.of(webhook, "{}").outcome()).isEqualTo(Outcome.confirmed());
                assertThat(receiver.requests()).hasSize(1);
            }
        }
    }

    @Nested
    class Closing {
        @Test
        @Tag("R35")
        void answers_for_everything_that_was_under_way() throws Exception {
            try (RawReceiver receiver = hanging()) {
                Webhook webhook = to(receiver.url()).timeout(Duration.ofMinutes(1));
                List<Sending> all = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    all.add(Sending.of(webhook, "{}"));
                }
                Awaitility.await().until(() -> receiver.requests() > 10);
                webhook.close();
                assertThat(all)
                        .allSatisfy(
                                sending -> assertThat(sending.failure().scope()).isIn(Scope.UNCLEAR, Scope.NOT_SENT));
                Awaitility.await().until(() -> receiver.openConnections() == 0);
            }
        }

        @Test
        void lets_nothing_go_afterwards() throws Exception {
            try (Receiver receiver = Receiver.start()) {
                Webhook webhook = to(receiver.url());
                Sending.of(webhook, "{}").outcome();
                webhook.close();
                webhook.close();
                assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.NOT_SENT);
                assertThat(receiver.requests()).hasSize(1);
            }
        }
    }

    @Test
    void more_than_it_may_have_under_way_is_an_outage_and_not_a_queue() throws Exception {
        try (RawReceiver receiver = hanging();
                Webhook webhook =
                        to(receiver.url()).timeout(Duration.ofMinutes(1)).maxConcurrent(2)) {
            assertThat(webhook.capacity()).isEqualTo(2);
            for (int i = 0; i < WebhookClient.MOST_UNDER_WAY; i++) {
                Sending.of(webhook, "{}");
            }
            assertThat(Sending.of(webhook, "{}").failure().scope()).isEqualTo(Scope.DESTINATION);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "ftp://example.com",
                "https://",
                "https://user:hunter2@example.com/",
                "https://example.com/#hunter2",
                "https://exa mple.com",
                "file:///etc/passwd"
            })
    void a_url_that_cannot_be_one_is_refused_at_once(String url) {
        assertThatThrownBy(() -> Webhook.to(url))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("url")
                .hasMessageNotContaining("hunter2");
    }
}
