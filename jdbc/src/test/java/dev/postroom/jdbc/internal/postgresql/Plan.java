package dev.postroom.jdbc.internal.postgresql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A plan as the server executed it.
 *
 * @param isCompiled which only a server with LLVM can do
 */
public record Plan(String statement, List<JsonNode> nodes, boolean isCompiled) {
    /** The server's own default for jit_above_cost. */
    static final double COMPILED_ABOVE = 100_000;
    /** A step that was switched off costs this and more, up to PostgreSQL 17. */
    static final double SWITCHED_OFF = 1e9;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Reads what auto_explain sent: a line of text, then JSON. */
    public static Plan parse(String notice) {
        try {
            JsonNode plan = JSON.readTree(notice.substring(notice.indexOf('{')));
            List<JsonNode> nodes = new ArrayList<>();
            collect(plan.path("Plan"), nodes);
            return new Plan(plan.path("Query Text").asText(), nodes, plan.has("JIT"));
        } catch (IOException e) {
            throw new UncheckedIOException("not a plan: " + notice, e);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> nodes) {
        nodes.add(node);
        node.path("Plans").forEach(child -> collect(child, nodes));
    }

    /** What the planner expected it to cost. */
    double cost() {
        return nodes.get(0).path("Total Cost").asDouble();
    }

    /** What it did, a line per step. */
    String steps() {
        return nodes.stream()
                .map(node -> node.path("Node Type").asText() + " "
                        + node.path("Relation Name").asText() + " "
                        + node.path("Index Name").asText() + " "
                        + node.path("Index Cond").asText() + " pages "
                        + (node.path("Shared Hit Blocks").asLong()
                                + node.path("Shared Read Blocks").asLong()))
                .collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }

    /** The tables that were read from beginning to end. */
    List<String> scannedTables() {
        return nodes.stream()
                .filter(node -> node.path("Node Type").asText().equals("Seq Scan"))
                .map(node -> node.path("Relation Name").asText())
                .toList();
    }

    /** The most rows that any step of it looked at, kept or not. */
    long mostRowsLookedAt() {
        return nodes.stream().mapToLong(Plan::rowsLookedAt).max().orElse(0);
    }

    /** The rows of tables that it looked at, kept or not, each as often as it did. */
    public long tableRowsLookedAt() {
        return nodes.stream()
                .filter(node -> node.has("Relation Name"))
                .mapToLong(Plan::rowsLookedAt)
                .sum();
    }

    private static long rowsLookedAt(JsonNode node) {
        return Math.round(node.path("Actual Loops").asDouble()
                * (node.path("Actual Rows").asDouble()
                        + node.path("Rows Removed by Filter").asDouble()
                        + node.path("Rows Removed by Index Recheck").asDouble()
                        + node.path("Rows Removed by Join Filter").asDouble()));
    }

    /** How many rows were sorted. */
    long sortedRows() {
        return nodes.stream()
                .filter(node -> node.path("Node Type").asText().endsWith("Sort"))
                .mapToLong(node -> Math.round(
                        node.path("Plans").path(0).path("Actual Rows").asDouble()))
                .max()
                .orElse(0);
    }

    /** Pages looked at, in memory or not: what wading through dead entries would show in. */
    long pages() {
        JsonNode root = nodes.get(0);
        return root.path("Shared Hit Blocks").asLong()
                + root.path("Shared Read Blocks").asLong();
    }
}
