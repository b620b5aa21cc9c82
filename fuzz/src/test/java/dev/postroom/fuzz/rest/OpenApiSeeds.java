package dev.postroom.fuzz.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.postroom.admin.Admin;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes a request for each operation of openapi.json, so that a new one is fuzzed without anybody thinking of it. */
final class OpenApiSeeds {
    private static final String API = "/api/v1";

    private final JsonNode document;

    private OpenApiSeeds(JsonNode document) {
        this.document = document;
    }

    static OpenApiSeeds read() {
        try (InputStream file = Admin.class.getResourceAsStream("openapi.json")) {
            return new OpenApiSeeds(new ObjectMapper().readTree(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The paths that nobody needs to sign in for. */
    Set<String> open() {
        Set<String> open = new TreeSet<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    JsonNode security = operation.getValue().get("security");
                    if (security != null && security.isEmpty()) {
                        open.add(API + path.getKey());
                    }
                }));
        return open;
    }

    Map<String, byte[]> seeds() {
        Map<String, byte[]> seeds = new TreeMap<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    for (String tenant : new String[] {"acme", "globex"}) {
                        String name = "openapi-" + operation.getKey()
                                + path.getKey().replaceAll("[^a-z]+", "-") + "-" + tenant;
                        String request = request(operation.getKey(), path.getKey(), operation.getValue(), tenant);
                        seeds.put(name, request.getBytes(StandardCharsets.ISO_8859_1));
                    }
                }));
        document.findValues("enum")
                .forEach(values -> values.forEach(value -> seeds.put(
                        "openapi-value-" + value.asText(),
                        ("GET /api/v1/messages?status=" + value.asText() + "&reason=" + value.asText() + "\n\n")
                                .getBytes(StandardCharsets.ISO_8859_1))));
        return seeds;
    }

    private String request(String method, String path, JsonNode operation, String tenant) {
        StringBuilder query = new StringBuilder();
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("in").asText().equals("query")) {
                String name = parameter.get("name").asText();
                JsonNode example = example(name, parameter.path("schema"), tenant);
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(example.asText());
            }
        }
        String target = API + path.replace("{id}", "{" + tenant + "}").replace("{name}", "out") + query;
        JsonNode schema = operation.at("/requestBody/content/application~1json/schema");
        String body = schema.isMissingNode() ? "" : example("", schema, tenant).toString();
        return method.toUpperCase(Locale.ROOT) + " " + target + "\nContent-Type: application/json\n\n" + body;
    }

    private JsonNode example(String name, JsonNode given, String tenant) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        JsonNode schema =
                given.has("$ref") ? document.at(given.get("$ref").asText().substring(1)) : given;
        if (schema.has("enum")) {
            return schema.get("enum").get(0);
        }
        JsonNode type = schema.path("type").isArray() ? schema.get("type").get(0) : schema.path("type");
        switch (type.asText()) {
            case "object" -> {
                ObjectNode object = json.objectNode();
                schema.path("properties")
                        .properties()
                        .forEach(property ->
                                object.set(property.getKey(), example(property.getKey(), property.getValue(), tenant)));
                return object;
            }
            case "array" -> {
                ArrayNode array = json.arrayNode();
                return array.add(example(name, schema.path("items"), tenant));
            }
            case "integer" -> {
                return json.numberNode(1);
            }
            case "boolean" -> {
                return json.booleanNode(name.equals("everything"));
            }
            default -> {
                return json.textNode(text(name, schema.path("format").asText(), tenant));
            }
        }
    }

    private static String text(String name, String format, String tenant) {
        if (format.equals("uuid")) {
            return "{" + tenant + "}";
        }
        if (format.equals("date-time")) {
            return name.endsWith("After") ? "2020-01-01T00:00:00Z" : "2040-01-01T00:00:00Z";
        }
        return switch (name) {
            case "tenant" -> tenant;
            case "topic" -> "orders";
            case "destination" -> "out";
            default -> "because";
        };
    }
}
