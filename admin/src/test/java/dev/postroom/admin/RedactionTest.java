package dev.postroom.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.operations.RoutingText;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.LaneStore.NodeReport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those see who may not reveal, what those see who may, and what the audit says of it. */
@Tag("R72")
class RedactionTest {
    private static final String USUAL = "/usual/api/v1";
    private static final String STRICT = "/strict/api/v1";
    private static final String VIEWER = "vera/POSTROOM_VIEWER";
    private static final String OPERATOR = "otto/POSTROOM_OPERATOR";
    private static final String REVEALER = "rita/POSTROOM_VIEWER/POSTROOM_REVEAL";
    private static final List<String> SECRETS = List.of("jane@example.com", "4111111111111111", "k-8842-secret");

    private static Shop shop;
    private static Admin usual;
    private static Admin strict;
    private static AdminServer usually;
    private static AdminServer strictly;
    private static UUID quoted;
    private static UUID behind;

    @BeforeAll
    static void open() {
        shop = new Shop();
        quoted = shop.publish(
                Message.to("orders.quoting")
                        .key("q")
                        .header("x-api-key", "k-8842-secret")
                        .header("Authorization", "Bearer k-8842-secret")
                        .header("x-plain", "to be seen")
                        .text(
                                "application/json",
                                "{\"id\":77,\"customer\":{\"email\":\"jane@example.com\"},\"cards\":[{\"n\":\"4111111111111111\"}]}"));
        shop.drain();
        behind = shop.publish(Message.to("orders.quoting").key("q").text("application/json", "{}"));
        usual = Admin.on(shop.store)
                .at("/usual")
                .access(new ApplicationAccess())
                .build();
        strict = Admin.on(shop.store)
                .at("/strict")
                .access(new ApplicationAccess())
                .redaction(RedactionRules.of(List.of(), List.of("$.customer.email", "$..n")))
                .build();
        usually = new AdminServer(usual);
        strictly = new AdminServer(strict);
    }

    @AfterAll
    static void close() {
        usually.close();
        strictly.close();
        usual.close();
        strict.close();
        shop.close();
    }

    @Test
    void credentials_in_headers_are_hidden_without_a_setting() {
        String shown = usually.get(VIEWER, USUAL + "/messages/" + quoted).body();

        assertThat(shown)
                .contains("\"x-api-key\":\"(redacted)\"", "\"Authorization\":\"(redacted)\"", "to be seen")
                .contains("jane@example.com", "\"redacted\":true")
                .doesNotContain("k-8842-secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {VIEWER, OPERATOR, REVEALER})
    void hidden_values_are_in_no_answer_to_anybody_who_does_not_reveal(String user) {
        strict.endpoints().stream()
                .filter(endpoint -> endpoint.method().name().equals("GET"))
                .forEach(endpoint -> {
                    String path = STRICT + endpoint.path().replace("{id}", quoted.toString());
                    assertThat(strictly.get(user, path).body()).as(path).doesNotContain(SECRETS);
                });
        String detail = strictly.get(user, STRICT + "/messages/" + quoted).body();
        assertThat(detail)
                .contains("\\\"email\\\":\\\"(redacted)\\\"", "\\\"id\\\":77", "cannot take {")
                .contains("\"redacted\":true");
    }

    @Test
    void error_of_the_message_that_it_waits_for_is_redacted() {
        assertThat(strictly.get(VIEWER, STRICT + "/messages/" + behind).body())
                .contains(quoted.toString(), "(redacted: error texts")
                .doesNotContain(SECRETS);
    }

    @Test
    void what_failures_have_in_common_is_redacted_like_an_error() {
        assertThat(strictly.get(VIEWER, STRICT + "/failures").body())
                .contains("\"fingerprint\":\"(redacted: error texts")
                .doesNotContain("cannot take", "refused order");
    }

    @Test
    void errors_that_relays_report_are_redacted_and_what_they_hold_is_not() {
        report(
                "{\"inFlight\":3,\"held\":[{\"cause\":\"breaker\",\"destination\":\"out\",\"topic\":null,"
                        + "\"why\":\"401 for jane@example.com, x-api-key: k-8842-secret\"}],\"recording\":{\"setAside\":1,"
                        + "\"setAsideWhy\":\"row has 4111111111111111\",\"troubleSeconds\":99,\"trouble\":\"of jane@example.com\"},"
                        + "\"reading\":{\"troubleSeconds\":99,\"trouble\":\"at jane@example.com\"},"
                        + "\"restart\":{\"times\":1,\"secondsAgo\":1.0,\"why\":\"jane@example.com\"},\"new\":\"jane@example.com\"}");

        for (String path : new String[] {"/nodes", "/destinations", "/health"}) {
            assertThat(strictly.get(OPERATOR, STRICT + path).body())
                    .as(path)
                    .contains("out", "(redacted: error texts")
                    .doesNotContain(SECRETS);
            assertThat(usually.get(VIEWER, USUAL + path).body())
                    .as(path)
                    .contains("401 for jane@example.com")
                    .doesNotContain("k-8842-secret");
        }
        assertThat(strict.health().reasons().toString()).contains("out").doesNotContain(SECRETS);

        report("{\"standsByFor\":\"relay-2\",\"addresses\":{\"out\":\"kafka a:9092\"}}");
        assertThat(strictly.get(OPERATOR, STRICT + "/nodes").body()).contains("relay-2", "kafka a:9092");

        report("no JSON of jane@example.com");
        assertThat(strictly.get(OPERATOR, STRICT + "/nodes").body()).doesNotContain(SECRETS);
    }

    /** As a relay that reports this, which is seen once the readings before it are a second old. */
    private static void report(String details) {
        try (LaneStore lanes = shop.store.openLanes()) {
            lanes.report(new NodeReport(
                    "node", "host", "1", details, RoutingText.NONE, Duration.ofSeconds(10), Duration.ZERO));
        }
        await().until(() -> strict.readings().current().nodes().stream()
                .anyMatch(node -> node.details().equals(details)));
        await().until(() -> usual.readings().current().nodes().stream()
                .anyMatch(node -> node.details().equals(details)));
    }

    @Test
    void without_the_payload_the_errors_are_redacted_all_the_same() {
        assertThat(strictly.get(VIEWER, STRICT + "/messages/" + quoted + "?payload=false")
                        .body())
                .contains("\"payload\":null", "cannot take {")
                .doesNotContain(SECRETS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no json but jane@example.com", "{\"customer\":{\"email\":\"jane@example.com\"}"})
    void payload_that_cannot_be_searched_is_hidden_as_a_whole(String payload) {
        UUID id = shop.publish(Message.to("orders.created").text("application/json", payload));

        assertThat(strictly.get(VIEWER, STRICT + "/messages/" + id).body())
                .contains("(redacted: this payload is not whole JSON text")
                .doesNotContain("jane");
    }

    @Test
    void compressed_payload_is_searched_and_a_cut_off_one_is_hidden() {
        String padding = "x".repeat(60_000);
        UUID packed = shop.publish(Message.to("orders.created")
                .text("application/json", "{\"customer\":{\"email\":\"jane@example.com\"},\"p\":\"" + padding + "\"}"));
        byte[] noise = new byte[150_000];
        new java.util.Random(7).nextBytes(noise);
        UUID cutOff = shop.publish(Message.to("orders.created")
                .text(
                        "application/json",
                        "{\"customer\":{\"email\":\"jane@example.com\"},\"p\":\""
                                + java.util.Base64.getEncoder().encodeToString(noise) + "\"}"));

        assertThat(strictly.get(VIEWER, STRICT + "/messages/" + packed).body())
                .contains("\\\"email\\\":\\\"(redacted)\\\"", padding)
                .doesNotContain("jane");
        assertThat(strictly.get(VIEWER, STRICT + "/messages/" + cutOff).body())
                .contains("(redacted: this payload")
                .doesNotContain("jane");
    }

    @Test
    void search_finds_in_errors_only_for_those_who_may_reveal() {
        String search = STRICT + "/messages?q=jane%40example";
        String action = "{\"filter\":{\"q\":\"jane@example\"},\"dryRun\":true}";

        assertThat(strictly.get(VIEWER, search).body()).contains("\"total\":0");
        assertThat(strictly.post(OPERATOR, STRICT + "/messages/actions/retry", action)
                        .body())
                .contains("\"matched\":0");
        assertThat(strictly.get(VIEWER, STRICT + "/messages?q=QUOTING").body()).contains(quoted.toString());
        assertThat(strictly.get(REVEALER, search).body()).contains("\"total\":1");
    }

    /** Somebody who may not reveal would otherwise find out a credential letter by letter. */
    @Test
    void error_that_may_quote_a_hidden_header_is_searched_for_nobody_who_may_not_reveal() {
        String search = USUAL + "/messages?q=k-8842";
        String action = "{\"filter\":{\"q\":\"k-8842\"},\"dryRun\":true}";

        assertThat(usually.get(VIEWER, search).body()).contains("\"total\":0");
        assertThat(usually.get(VIEWER, USUAL + "/messages?q=jane%40example").body())
                .contains("\"total\":0");
        assertThat(usually.post(OPERATOR, USUAL + "/messages/actions/retry", action)
                        .body())
                .contains("\"matched\":0");
        assertThat(usually.get(REVEALER, search).body()).contains("\"total\":1");
        assertThat(usually.get(VIEWER, USUAL + "/messages?q=NO+STOCK").body()).contains("\"total\":1");
    }

    @Test
    void lists_hide_what_a_message_has_in_hidden_headers_however_its_error_quotes_it() throws SQLException {
        String headers =
                "{\"Authorization\":\"Token S3CR\",\"Cookie\":\"theme=dark; sid=wyxz\",\"x-jwt\":\"S3CR\\\"quoted\"}";
        Map<UUID, UUID> heads = new LinkedHashMap<>();
        for (String error : new String[] {
            "rejected: authorization: Token S3CR",
            "I know S3CR and wyxz",
            "{'Authorization': 'Token S3CR'}",
            "{\\\"cookie\\\":\\\"theme=dark; sid=wyxz\\\"}",
            "no session wyxz",
            "header%20S3CR%22quoted"
        }) {
            String key = "k" + error.hashCode();
            UUID head = shop.publish(Message.to("orders.echo").key(key).text("text/plain", "first"));
            heads.put(head, shop.publish(Message.to("orders.echo").key(key).text("text/plain", "next")));
            fail(head, error, headers);
        }

        heads.forEach((head, next) -> {
            for (String path :
                    new String[] {"/messages?topic=orders.echo", "/failures", "/streams/blocked", "/messages/" + next
                    }) {
                assertThat(usually.get(VIEWER, USUAL + path).body())
                        .as(path)
                        .contains(head.toString())
                        .doesNotContain("S3CR", "wyxz");
            }
        });
    }

    @Test
    void list_hides_the_error_of_a_message_whose_headers_are_too_long_to_be_read_for_it() throws SQLException {
        UUID id = shop.publish(Message.to("orders.long").text("text/plain", "x"));
        fail(id, "unseen", "{\"x-long\":\"" + "x".repeat(33_000) + "\"}");

        assertThat(usually.get(VIEWER, USUAL + "/messages?topic=orders.long").body())
                .contains(id.toString(), "(redacted: this error may quote headers")
                .doesNotContain("unseen");
    }

    /** As a relay leaves a message that a receiver refused with this error. */
    private static void fail(UUID id, String error, String headers) throws SQLException {
        try (Connection connection = shop.dataSource.getConnection();
                PreparedStatement dead = connection.prepareStatement(
                        "UPDATE postroom_message SET dead_at = CURRENT_TIMESTAMP, failed_at = CURRENT_TIMESTAMP, attempts = 1,"
                                + " reason = 'VALIDATION_FAILURE', error = ?, headers = ? WHERE id = ?")) {
            dead.setString(1, error);
            dead.setString(2, headers);
            dead.setObject(3, id);
            dead.executeUpdate();
        }
    }

    @Test
    void revealing_takes_its_own_permission_and_is_in_the_audit() {
        String path = STRICT + "/messages/" + quoted + "/reveal";

        assertThat(strictly.post(VIEWER, path, "{}").statusCode()).isEqualTo(403);
        assertThat(strictly.post(OPERATOR, path, "{}").body()).contains("permissions = reveal");
        assertThat(strictly.post("nora/POSTROOM_REVEAL", path, "{}").statusCode())
                .as("without the role of those who look")
                .isEqualTo(403);
        assertThat(strictly.get(VIEWER, STRICT + "/audit").body()).doesNotContain("\"reveal\"");
        assertThat(strictly.post(REVEALER, path, "{\"reason\":\"ticket 12\"}").body())
                .contains(SECRETS)
                .contains("\"redacted\":false");
        assertThat(strictly.get(VIEWER, STRICT + "/audit").body())
                .contains("\"actor\":\"rita\",\"action\":\"reveal\",\"target\":\"" + quoted
                        + "\",\"reason\":\"ticket 12\"");
        assertThat(strictly.post(REVEALER, path, "{}").body()).contains(SECRETS);
        assertThat(strictly.get(VIEWER, STRICT + "/audit").body()).contains("(no reason given)");
        assertThat(strictly.post(REVEALER, STRICT + "/messages/" + UUID.randomUUID() + "/reveal", "{}")
                        .statusCode())
                .isEqualTo(404);
    }
}
