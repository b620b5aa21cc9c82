package dev.postroom.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.operations.Health;
import dev.postroom.operations.MessageStatus;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The document against what the API really is and answers. */
@Tag("R54")
class OpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API = "/postroom/api/v1";
    /** Only the standalone server has them. */
    private static final Set<String> SERVER_ONLY = Set.of("get /sign-in", "post /sign-in", "post /sign-out");

    private static Shop shop;
    private static Admin admin;
    private static AdminServer server;
    private static JsonNode document;

    @BeforeAll
    static void open() throws Exception {
        shop = new Shop();
        admin = Admin.on(shop.store)
                .at("/postroom")
                .access(new ApplicationAccess())
                .build();
        admin.start();
        server = new AdminServer(admin);
        document = JSON.readTree(server.get(API + "/openapi.json").body());
    }

    @AfterAll
    static void close() {
        server.close();
        admin.close();
        shop.close();
    }

    @Test
    void document_names_exactly_the_endpoints_there_are() {
        Set<String> documented = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> documented.add(method.getKey() + " " + path.getKey())));
        documented.removeAll(SERVER_ONLY);
        Set<String> offered = new TreeSet<>();
        admin.endpoints()
                .forEach(endpoint ->
                        offered.add(endpoint.method().name().toLowerCase(Locale.ROOT) + " " + endpoint.path()));
        assertThat(documented).isEqualTo(offered);
    }

    @Test
    void parameters_of_the_document_are_those_that_are_taken() {
        admin.endpoints().forEach(endpoint -> {
            Set<String> documented = new TreeSet<>();
            operation(endpoint.method().name(), endpoint.path())
                    .path("parameters")
                    .forEach(parameter -> {
                        if (parameter.path("in").asText().equals("query")) {
                            documented.add(parameter.path("name").asText());
                        }
                    });
            assertThat(documented).as(endpoint.path()).isEqualTo(new TreeSet<>(endpoint.parameters()));
        });
    }

    /** Generators make a name of the path otherwise, which changes with it. */
    @Test
    void every_operation_has_a_name_of_its_own() {
        List<String> names = new ArrayList<>();
        document.path("paths")
                .forEach(path -> path.forEach(
                        operation -> names.add(operation.path("operationId").asText())));
        assertThat(names).doesNotContain("").doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z][A-Za-z]+"));
    }

    /** Generators call an object or an enum without a name InlineObject7, and another one the next time. */
    @Test
    void objects_and_enums_have_names() {
        List<String> nameless = new ArrayList<>();
        document.path("components")
                .path("schemas")
                .properties()
                .forEach(schema -> schema.getValue()
                        .properties()
                        .forEach(part -> nameless(schema.getKey() + "." + part.getKey(), part.getValue(), nameless)));
        document.path("paths").properties().forEach(path -> nameless(path.getKey(), path.getValue(), nameless));
        assertThat(nameless).isEmpty();
    }

    private static void nameless(String where, JsonNode node, List<String> found) {
        boolean object = node.path("type").asText().equals("object")
                || node.path("properties").isObject();
        if (object || node.path("enum").isArray()) {
            found.add(where);
        }
        node.forEach(child -> nameless(where, child, found));
    }

    /** Without a format a number of more than 32 bits, such as a message's seq, does not fit what Java generators make of it. */
    @Test
    void every_number_says_how_large_it_gets() {
        List<JsonNode> without = new ArrayList<>();
        numbersWithoutFormat(document, without);
        assertThat(without).isEmpty();
        assertThat(document.at("/components/schemas/Message/properties/seq/format")
                        .asText())
                .isEqualTo("int64");
    }

    private static void numbersWithoutFormat(JsonNode node, List<JsonNode> found) {
        String type = node.path("type").toString();
        if ((type.contains("\"integer\"") || type.contains("\"number\"")) && !node.has("format")) {
            found.add(node);
        }
        node.forEach(child -> numbersWithoutFormat(child, found));
    }

    @Test
    void enums_have_what_the_product_answers() {
        assertThat(values("FailureReason")).isEqualTo(names(FailureReason.values()));
        assertThat(values("HealthCode")).isEqualTo(names(Health.Code.values()));
        assertThat(values("HealthStatus")).isEqualTo(names(Health.Status.values()));
        assertThat(values("Role"))
                .isEqualTo(names(Role.values()).stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet()));
        Set<String> labels =
                Arrays.stream(MessageStatus.values()).map(MessageStatus::label).collect(Collectors.toSet());
        assertThat(values("StatusFilter")).isEqualTo(labels);
        labels.remove(MessageStatus.FAILED.label());
        assertThat(values("MessageStatus")).isEqualTo(labels);
    }

    private static Set<String> values(String schema) {
        Set<String> values = new HashSet<>();
        document.path("components")
                .path("schemas")
                .path(schema)
                .path("enum")
                .forEach(value -> values.add(value.asText()));
        return values;
    }

    private static Set<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).collect(Collectors.toSet());
    }

    @Test
    void what_answers_get_answers_head_without_the_body() {
        for (String path :
                List.of(API + "/stats", API + "/messages?status=dead", API + "/openapi.json", "/postroom/")) {
            HttpResponse<String> get = server.get(path);
            HttpResponse<String> head = server.send(server.request(path)
                    .header("X-User", "anna/POSTROOM_VIEWER")
                    .method("HEAD", HttpRequest.BodyPublishers.noBody()));
            assertThat(head.statusCode()).as(path).isEqualTo(get.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(head.headers().firstValue("Content-Type"))
                    .isEqualTo(get.headers().firstValue("Content-Type"));
        }
        HttpResponse<String> unknown =
                server.send(server.request(API + "/nothing").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(unknown.statusCode()).isEqualTo(404);
        HttpResponse<String> nobody =
                server.send(server.request(API + "/messages").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(nobody.statusCode()).isEqualTo(403);
        HttpResponse<String> change =
                server.send(server.request(API + "/pause").method("HEAD", HttpRequest.BodyPublishers.noBody()));
        assertThat(change.statusCode()).isEqualTo(405);
        assertThat(change.headers().firstValue("Allow")).hasValue("POST");
    }

    @Test
    void every_answer_to_a_question_is_as_described() {
        admin.endpoints().forEach(endpoint -> {
            if (endpoint.method().name().equals("GET")) {
                String path = endpoint.path().replace("{id}", shop.dead.toString());
                check("GET", endpoint.path(), server.get(API + path), 200);
            }
        });
        for (String id : new String[] {shop.delivered.toString(), shop.blocked.toString(), shop.failed.toString()}) {
            check("GET", "/messages/{id}", server.get(API + "/messages/" + id), 200);
            check("GET", "/messages/{id}", server.get(API + "/messages/" + id + "?payload=false"), 200);
        }
        for (String status : new String[] {"processed", "dead", "blocked", "scheduled", "failed", "pending"}) {
            check("GET", "/messages", server.get(API + "/messages?status=" + status), 200);
        }
    }

    @Test
    void every_answer_to_a_change_and_every_body_is_as_described() {
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("/messages/{id}/reveal", "{}");
        bodies.put("/messages/{id}/retry", "{\"reason\":\"fixed\"}");
        bodies.put("/messages/{id}/dead-letter", "{\"reason\":\"hopeless\"}");
        bodies.put("/messages/{id}/skip", "{\"reason\":\"not needed\"}");
        bodies.put("/messages/{id}/delete", "{\"reason\":\"gone\"}");
        String dryRun = "{\"filter\":{\"status\":\"dead\",\"topic\":\"nothing.here\"},\"dryRun\":true,\"limit\":10}";
        for (String action : new String[] {"retry", "dead-letter", "skip", "delete"}) {
            bodies.put("/messages/actions/" + action, dryRun);
        }
        bodies.put(
                "/messages/actions/replay",
                "{\"filter\":{\"topic\":\"orders.created\"},\"destination\":\"out\",\"dryRun\":true}");
        bodies.put("/messages/actions/purge", "{\"filter\":{\"olderThanSeconds\":3600},\"reason\":\"old\"}");
        bodies.put("/messages/actions/erase", "{\"filter\":{\"key\":\"nobody\"},\"reason\":\"ticket 7\"}");
        bodies.put("/streams/release", "{\"topic\":\"orders.nobody\",\"key\":\"9\",\"reason\":\"go on\"}");
        bodies.put("/destinations/{name}/pause", "{\"reason\":\"maintenance\"}");
        bodies.put("/destinations/{name}/resume", "{\"reason\":\"done\"}");
        bodies.put("/pause", "{\"topic\":\"orders.created\",\"reason\":\"maintenance\"}");
        bodies.put("/resume", "{\"topic\":\"orders.created\",\"reason\":\"done\"}");
        Set<String> posts = new TreeSet<>();
        admin.endpoints().stream()
                .filter(endpoint -> endpoint.method().name().equals("POST"))
                .forEach(endpoint -> posts.add(endpoint.path()));
        assertThat(bodies.keySet()).containsExactlyInAnyOrderElementsOf(posts);
        String id = shop.publish(Message.to("orders.created").text("text/plain", "one to be deleted"))
                .toString();
        shop.drain();
        bodies.forEach((path, body) -> {
            JsonNode schema = operation("POST", path).at("/requestBody/content/application~1json/schema");
            assertThat(violations(schema, body)).as("body of %s", path).isEmpty();
            String there = path.replace("{id}", id).replace("{name}", "out");
            check("POST", path, server.post("otto/POSTROOM_OPERATOR/POSTROOM_REVEAL", API + there, body), 200);
        });
    }

    @Test
    void refusals_are_as_described() {
        check("GET", "/messages", server.get(API + "/messages?status=lost"), 400);
        check("GET", "/messages", server.get(API + "/messages?state=dead"), 400);
        check("GET", "/messages", server.get(API + "/messages?pageSize=501"), 400);
        check("GET", "/messages", server.send(server.request(API + "/messages")), 403);
        check("GET", "/messages/{id}", server.get(API + "/messages/00000000-0000-0000-0000-000000000000"), 404);
        check("GET", "/messages/{id}", server.get(API + "/messages/17"), 400);
        check("POST", "/pause", server.post(API + "/pause", "{}"), 400);
        check("POST", "/pause", server.post(API + "/pause", "{\"reason\":\"x\",\"topik\":\"a\"}"), 400);
        check("POST", "/pause", server.post(API + "/pause", "{\"reason\":" + "[".repeat(50_000)), 400);
        check("POST", "/pause", server.post(API + "/pause", "{\"reason\":1" + "0".repeat(5_000) + "}"), 400);
        check("POST", "/pause", server.post(API + "/pause", "{\"reason\":\"" + "x".repeat(200_000) + "\"}"), 413);
    }

    private static JsonNode operation(String method, String path) {
        return document.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
    }

    private static void check(String method, String path, HttpResponse<String> response, int status) {
        assertThat(response.statusCode())
                .as("%s %s: %s", method, path, response.body())
                .isEqualTo(status);
        String type = status == 200 ? "application~1json" : "application~1problem+json";
        JsonNode schema = operation(method, path).at("/responses/" + status + "/content/" + type + "/schema");
        assertThat(schema.isMissingNode())
                .as("%s %s describes %s", method, path, status)
                .isFalse();
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(value -> assertThat(value).startsWith(type.replace("~1", "/")));
        assertThat(violations(schema, response.body()))
                .as("%s %s: %s", method, path, response.body())
                .isEmpty();
    }

    private static Set<ValidationMessage> violations(JsonNode schema, String json) {
        ObjectNode whole = ((ObjectNode) schema.deepCopy());
        whole.set("components", document.path("components"));
        try {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(whole)
                    .validate(
                            JSON.readTree(json),
                            context -> context.getExecutionConfig().setFormatAssertionsEnabled(true));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }
}
