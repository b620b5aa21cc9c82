package dev.postroom.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RoutingText;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.LaneStore;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Somebody who is bound to tenants neither sees nor touches anything of others, at any endpoint. */
@Tag("R72")
class TenantsTest {
    private static final String API = "/postroom/api/v1";
    /** Bound to acme; her name is not among what must not be seen. */
    private static final String TINA = "tina/POSTROOM_OPERATOR/POSTROOM_REVEAL";

    private static final String INES = "ines/POSTROOM_VIEWER";
    private static final Map<String, List<String>> BOUND =
            Map.of("tina", List.of("acme", "initech"), "ines", List.of("initech"));

    private static final String OWN = "own";
    private static final String REFUSED = "refused";
    private static final String EVERYBODY = "everybody";

    /** Every endpoint there is, and what it is to somebody who is bound. A new one has to be thought about here. */
    private static final Map<String, String> CLASSIFIED = Map.ofEntries(
            Map.entry("GET /me", EVERYBODY),
            Map.entry("GET /openapi.json", EVERYBODY),
            Map.entry("GET /health", OWN),
            Map.entry("GET /stats", OWN),
            Map.entry("GET /history", REFUSED),
            Map.entry("GET /nodes", REFUSED),
            Map.entry("GET /lanes", REFUSED),
            Map.entry("GET /routing", REFUSED),
            Map.entry("GET /database", REFUSED),
            Map.entry("GET /audit", REFUSED),
            Map.entry("GET /messages", OWN),
            Map.entry("GET /messages/{id}", OWN),
            Map.entry("POST /messages/{id}/reveal", OWN),
            Map.entry("POST /messages/{id}/retry", OWN),
            Map.entry("POST /messages/{id}/dead-letter", OWN),
            Map.entry("POST /messages/{id}/skip", OWN),
            Map.entry("POST /messages/{id}/delete", OWN),
            Map.entry("GET /failures", OWN),
            Map.entry("POST /messages/actions/retry", OWN),
            Map.entry("POST /messages/actions/dead-letter", OWN),
            Map.entry("POST /messages/actions/skip", OWN),
            Map.entry("POST /messages/actions/delete", OWN),
            Map.entry("POST /messages/actions/replay", OWN),
            Map.entry("POST /messages/actions/purge", REFUSED),
            Map.entry("POST /messages/actions/erase", REFUSED),
            Map.entry("GET /streams/blocked", OWN),
            Map.entry("POST /streams/release", OWN),
            Map.entry("GET /destinations", OWN),
            Map.entry("POST /destinations/{name}/pause", REFUSED),
            Map.entry("POST /destinations/{name}/resume", REFUSED),
            Map.entry("GET /pauses", OWN),
            Map.entry("POST /pause", REFUSED),
            Map.entry("POST /resume", REFUSED));

    private final Shop shop = new Shop();
    private final Operations unbound = Operations.as("test", shop.store.operations(), shop.store.maintenance());
    private final Admin admin = Admin.on(shop.store)
            .at("/postroom")
            .access(request -> {
                Visitor visitor = new ApplicationAccess().visitor(request);
                List<String> tenants = BOUND.get(String.valueOf(visitor.name()));
                return tenants == null
                        ? visitor
                        : Visitor.known(visitor.name(), visitor.rights().within(Tenants.of(tenants)));
            })
            .build();
    private final AdminServer server = new AdminServer(admin);
    private Map<String, UUID> acme = Map.of();
    private Map<String, UUID> globex = Map.of();

    @BeforeEach
    void write() {
        acme = write("acme");
        globex = write("globex");
        unbound.pause(Pause.Target.topic("globex.paused"), "because of globex");
    }

    @AfterEach
    void close() {
        server.close();
        admin.close();
        shop.close();
    }

    /** One of each, whose names and contents say whose they are. */
    private Map<String, UUID> write(String tenant) {
        Map<String, UUID> ids = new LinkedHashMap<>();
        ids.put("delivered", publish(tenant, "orders.created", "1"));
        ids.put("dead", publish(tenant, "orders.quoting", "2"));
        shop.drain();
        ids.put("blocked", publish(tenant, "orders.quoting", "2"));
        ids.put("failed", publish(tenant, "orders.flaky", "3"));
        shop.drain();
        return ids;
    }

    private UUID publish(String tenant, String topic, String key) {
        return shop.publish(Message.to(topic)
                .tenant(tenant)
                .key(tenant + "-" + key)
                .text("application/json", "{\"of\":\"" + tenant + "\"}"));
    }

    private HttpResponse<String> get(String path) {
        return server.get(TINA, API + path);
    }

    private HttpResponse<String> post(String path, String body) {
        return server.post(TINA, API + path, body);
    }

    @Test
    void every_endpoint_is_classified() {
        assertThat(admin.endpoints())
                .extracting(endpoint -> endpoint.method().name() + " " + endpoint.path())
                .containsExactlyInAnyOrderElementsOf(CLASSIFIED.keySet());
    }

    @Test
    void what_concerns_all_tenants_is_refused_and_no_answer_names_another() {
        admin.endpoints().forEach(endpoint -> {
            String name = endpoint.method().name() + " " + endpoint.path();
            String path = endpoint.path()
                    .replace("{id}", globex.get("dead").toString())
                    .replace("{name}", "out");
            HttpResponse<String> response =
                    endpoint.method().name().equals("GET") ? get(path) : post(path, "{\"reason\":\"x\"}");
            assertThat(response.body()).as(name).doesNotContain("globex-", "\"globex\"", "because of globex");
            if (REFUSED.equals(CLASSIFIED.get(name))) {
                assertThat(response.statusCode()).as(name).isEqualTo(403);
                assertThat(response.body()).as(name).contains("concerns all tenants");
            } else if (endpoint.path().contains("{id}")) {
                assertThat(response.statusCode()).as(name).isEqualTo(404);
            } else {
                assertThat(response.statusCode()).as(name).isNotEqualTo(403);
            }
        });
    }

    @Test
    void lists_counts_and_groups_are_of_own_messages() {
        assertThat(get("/messages").body())
                .contains("\"total\":3,", acme.get("dead").toString())
                .doesNotContain(globex.get("dead").toString());
        assertThat(get("/messages?status=processed").body()).contains("\"total\":1,");
        assertThat(get("/messages?tenant=globex").body()).contains("\"total\":0,");
        assertThat(get("/messages?tenant=").body()).contains("\"total\":3,");
        assertThat(get("/messages?q=globex").body()).contains("\"total\":0,");
        assertThat(get("/messages?q=" + globex.get("dead")).body()).contains("\"total\":0,");
        assertThat(get("/messages?topic=orders.quoting&key=globex-2").body()).contains("\"total\":0,");
        assertThat(get("/stats").body())
                .contains(
                        "\"backlog\":2,",
                        "\"dead\":1,",
                        "\"failedPending\":1,",
                        "\"blockedStreams\":1,",
                        "\"blockedMessages\":1,")
                .contains("\"inFlight\":null", "\"failureRatio\":null", "\"backlogIsExact\":true");
        assertThat(get("/failures").body()).contains("\"count\":1,").doesNotContain("\"count\":2,");
        assertThat(get("/streams/blocked").body()).contains("acme-2").doesNotContain("globex", "\"tenant\":\"\"");
        assertThat(get("/messages/" + acme.get("blocked")).body())
                .contains("Blocked behind message " + acme.get("dead"));
        assertThat(get("/messages/" + shop.dead).statusCode()).isEqualTo(404);
    }

    @Test
    void numbers_are_kept_for_each_group_of_tenants() {
        assertThat(get("/stats").body()).contains("\"backlog\":2,", "\"dead\":1,");
        assertThat(server.get(INES, API + "/stats").body()).contains("\"backlog\":0,", "\"dead\":0,");
        assertThat(server.get("vera/POSTROOM_VIEWER", API + "/stats").body()).contains("\"dead\":3,");
    }

    /** Of relays they are told which destinations take nothing; errors and topics may be others'. */
    @Test
    void what_relays_report_names_neither_topics_nor_errors() {
        try (LaneStore lanes = shop.store.openLanes()) {
            lanes.report(new LaneStore.NodeReport(
                    "globex-node",
                    "globex-host",
                    "1",
                    "{\"held\":[{\"cause\":\"breaker\",\"destination\":\"out\",\"topic\":null,\"why\":\"401 for globex\"},"
                            + "{\"cause\":\"breaker\",\"destination\":\"out\",\"topic\":\"globex.orders\",\"why\":\"404\"}],"
                            + "\"recording\":{\"setAside\":1,\"setAsideWhy\":\"row of globex\",\"troubleSeconds\":99,"
                            + "\"trouble\":\"of globex\"},\"reading\":{\"troubleSeconds\":99,\"trouble\":\"at globex\"},"
                            + "\"restart\":{\"times\":9,\"secondsAgo\":1.0,\"why\":\"globex\"}}",
                    new RoutingText("globex.orders -> out (block)"),
                    Duration.ofSeconds(10),
                    Duration.ZERO));
        }
        assertThat(server.get("vera/POSTROOM_VIEWER", API + "/destinations").body())
                .contains("401 for globex", "globex.orders");
        for (String path : new String[] {"/destinations", "/health"}) {
            assertThat(get(path).body())
                    .as(path)
                    .contains("out", "it takes nothing at the moment")
                    .doesNotContain("globex", "404");
        }
    }

    @Test
    void changes_reach_own_messages_only() {
        Map<UUID, MessageItem> before = others();

        assertThat(post("/messages/actions/dead-letter", "{\"filter\":{},\"everything\":true,\"reason\":\"x\"}")
                        .body())
                .isEqualTo("{\"matched\":2,\"matchedIsExact\":true,\"changed\":2,\"leftAlone\":0}");
        assertThat(post("/messages/actions/retry", "{\"filter\":{\"status\":\"dead\"},\"reason\":\"x\"}")
                        .body())
                .isEqualTo("{\"matched\":3,\"matchedIsExact\":true,\"changed\":3,\"leftAlone\":0}");
        assertThat(post(
                                "/messages/actions/delete",
                                "{\"filter\":{\"status\":\"processed\",\"tenant\":\"globex\"},\"reason\":\"x\"}")
                        .body())
                .isEqualTo("{\"matched\":0,\"matchedIsExact\":true,\"changed\":0,\"leftAlone\":0}");
        for (UUID id : globex.values()) {
            for (String change : new String[] {"retry", "dead-letter", "skip", "delete", "reveal"}) {
                assertThat(post("/messages/" + id + "/" + change, "{\"reason\":\"x\"}")
                                .statusCode())
                        .isEqualTo(404);
            }
        }
        assertThat(release("globex").statusCode()).isEqualTo(403);
        assertThat(release("").statusCode()).isEqualTo(403);
        assertThat(replay("\"tenant\":\"globex\",").statusCode()).isEqualTo(403);
        assertThat(replay("").statusCode()).isEqualTo(403);
        assertThat(others()).isEqualTo(before);
    }

    @Test
    void own_messages_can_be_changed_released_replayed_and_revealed() {
        assertThat(post("/messages/" + acme.get("failed") + "/retry", "{\"reason\":\"x\"}")
                        .body())
                .isEqualTo("{\"matched\":1,\"matchedIsExact\":true,\"changed\":1,\"leftAlone\":0}");
        assertThat(post("/messages/" + acme.get("dead") + "/reveal", "{}").statusCode())
                .isEqualTo(200);
        assertThat(release("acme").body())
                .isEqualTo("{\"matched\":1,\"matchedIsExact\":true,\"changed\":1,\"leftAlone\":0}");
        assertThat(replay("\"tenant\":\"acme\",").body())
                .isEqualTo("{\"matched\":1,\"matchedIsExact\":true,\"changed\":1,\"leftAlone\":0}");
        assertThat(unbound.audit(0, 100))
                .filteredOn(entry -> entry.actor().equals("tina") && entry.changed() > 0)
                .hasSize(4);
    }

    @Test
    void nothing_is_sent_again_to_a_destination_that_no_relay_knows() {
        HttpResponse<String> refused = post(
                "/messages/actions/replay",
                "{\"filter\":{\"tenant\":\"acme\",\"topic\":\"orders.created\"},\"destination\":\"globex-only\",\"reason\":\"x\"}");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("no relay knows a destination named 'globex-only': choose one of out");
    }

    @Test
    void release_of_messages_that_are_others_matches_none() {
        String release = "{\"tenant\":\"acme\",\"key\":\"acme-2\",\"ids\":[\"%s\",\"%s\"],\"reason\":\"x\"}"
                .formatted(globex.get("dead"), globex.get("failed"));
        assertThat(post("/streams/release", release).body())
                .isEqualTo("{\"matched\":0,\"matchedIsExact\":true,\"changed\":0,\"leftAlone\":0}");
    }

    @Test
    void me_says_whose_messages_are_seen() {
        assertThat(get("/me").body()).contains("\"mayReveal\":true", "\"tenants\":[\"acme\",\"initech\"]");
    }

    private HttpResponse<String> release(String tenant) {
        return post(
                "/streams/release", "{\"tenant\":\"" + tenant + "\",\"key\":\"" + tenant + "-2\",\"reason\":\"x\"}");
    }

    private HttpResponse<String> replay(String tenant) {
        return post(
                "/messages/actions/replay",
                "{\"filter\":{" + tenant + "\"topic\":\"orders.created\"},\"destination\":\"out\",\"reason\":\"x\"}");
    }

    /** What is not acme's, live and archived. */
    private Map<UUID, MessageItem> others() {
        Map<UUID, MessageItem> others = new LinkedHashMap<>();
        globex.values()
                .forEach(id -> others.put(id, unbound.find(id).orElseThrow().item()));
        unbound.list(MessageFilter.builder().tenant("").build(), 0, 100)
                .items()
                .forEach(item -> others.put(item.id(), item));
        return others;
    }
}
