package dev.postroom.server.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;

/** Draws rows by a seed, a third of them good; the others are odd in one way each. For one thread. */
final class HostileRows {
    private static final String NUL = "\\u0000";
    private static final String HALF = "\\ud800";
    private static final List<String> CONTROLS = List.of("\r\nx: y", "\u0001", "\u001b[31m", "\u0085");
    private static final List<String> STRANGE = List.of(" ", "\u202egnp.exe", "\u200b", "\ud83d\ude80 go", "a b/c;d");
    private static final byte[] BOMB = zipped(new byte[65 << 20]);

    private final Random random;
    private final HostileTable table;
    private final Map<String, Consumer<HostileRow>> kinds = new LinkedHashMap<>();
    private int number;

    HostileRows(long seed, HostileTable table) {
        this.random = new Random(seed);
        this.table = table;
        times();
        headers();
        contents();
        names();
        kinds.put(
                "counters at their end",
                row -> row.with("attempts", Integer.MAX_VALUE).with("version", Integer.MAX_VALUE));
    }

    /** So many for each way, in an order of chance. */
    List<HostileRow> draw(int each) {
        List<HostileRow> rows = new ArrayList<>();
        List<String> names = List.copyOf(kinds.keySet());
        for (Way way : Way.values()) {
            for (int i = 0; i < each; i++) {
                HostileRow row = new HostileRow(anyId(), way, ++number);
                if (i % 3 == 0) {
                    row.with("ordering_key", "k" + random.nextInt(5));
                } else {
                    row.kind = names.get((i - i / 3 - 1) % names.size());
                    kinds.get(row.kind).accept(row);
                }
                rows.add(row);
            }
        }
        java.util.Collections.shuffle(rows, random);
        return rows;
    }

    private void times() {
        kinds.put("due before all", row -> row.at("available_at", any(table.ancient())));
        kinds.put(
                "due after all",
                row -> row.at("available_at", any(table.distant())).becomes(Fate.WAITS));
        kinds.put("written before all", row -> row.at("created_at", any(table.ancient())));
        kinds.put("written after all", row -> row.at("created_at", any(table.distant())));
    }

    private void headers() {
        kinds.put(
                "too many headers",
                row -> row.with("headers", headers(65 + random.nextInt(2_000))).becomes(Fate.DIES));
        kinds.put(
                "very many headers", row -> row.with("headers", headers(40_000)).becomes(Fate.DIES));
        kinds.put(
                "long header",
                row -> row.with("headers", header("long", "x".repeat(16_385))).becomes(Fate.DIES));
        kinds.put("half a character", row -> row.with("headers", either(HALF)).becomes(Fate.DIES));
        kinds.put("NUL", row -> row.with("headers", either(NUL)).becomes(Fate.DIES));
        kinds.put("plain values", row -> row.with("headers", "{\"n\":17,\"b\":true,\"z\":null,\"d\":-1.50e3}"));
        kinds.put(
                "no object of strings",
                row -> row.with("headers", any(List.of("[]", "\"x\"", "7", "{\"a\":{}}", "{\"a\":[1]}")))
                        .becomes(Fate.DIES));
        kinds.put("null for headers", row -> row.with("headers", "null"));
        kinds.put(
                "another protocol's line",
                row -> row.with(
                                "headers",
                                any(List.of(header("a\\r\\nb: c", "d"), header("a", "b\\r\\nc: d"), header("", "e"))))
                        .becomes(row.way == Way.HTTP ? Fate.DIES : Fate.ARRIVES));
        kinds.put(
                "another protocol's name",
                row -> row.with("headers", header("CC", "everybody"))
                        .becomes(row.way == Way.RABBITMQ ? Fate.DIES : Fate.ARRIVES));
        kinds.put(
                "the event's own name",
                row -> row.with("headers", header("cloudEvents:id", "forged"))
                        .becomes(row.way == Way.RABBITMQ || row.way == Way.HTTP ? Fate.DIES : Fate.ARRIVES));
    }

    private void contents() {
        kinds.put(
                "no gzip",
                row -> row.with("content_encoding", any(List.of("gzip", "br", "rot13")))
                        .becomes(Fate.DIES));
        kinds.put(
                "gzip bomb",
                row -> row.with("content_encoding", "gzip")
                        .with("payload", BOMB)
                        .becomes(Fate.DIES));
        kinds.put(
                "large payload",
                row -> row.with("payload", new byte[(1 << 20) + 1]).becomes(Fate.DIES));
        kinds.put("empty payload", row -> row.with("payload", new byte[0]));
        kinds.put("strange content type", row -> row.with("content_type", any(STRANGE)));
        kinds.put(
                "control in content type",
                row -> row.with("content_type", "text/" + any(CONTROLS)).becomesNoEvent());
        kinds.put(
                "no source",
                row -> row.with("source", any(List.of("no uri", "%", "", "http://[", "\u202e:")))
                        .becomesNoEvent());
    }

    private void names() {
        kinds.put("strange type", row -> row.with("type", any(STRANGE)));
        kinds.put(
                "control in type", row -> row.with("type", "t" + any(CONTROLS)).becomesNoEvent());
        kinds.put("strange topic", row -> row.with("topic", row.way.label() + "." + any(STRANGE)));
        kinds.put(
                "control in topic",
                row -> row.with("topic", row.way.label() + "." + any(CONTROLS)).becomesNoEvent());
        kinds.put(
                "wide topic",
                row -> row.with("topic", row.way.label() + "." + "\u00fc".repeat(240))
                        .becomes(row.way == Way.RABBITMQ ? Fate.DIES : Fate.ARRIVES));
        kinds.put("strange tenant", row -> row.with("tenant", any(STRANGE)));
        kinds.put("control in tenant", row -> row.with("tenant", any(CONTROLS)).becomesNoEvent());
        kinds.put("strange key", row -> row.with("ordering_key", any(STRANGE) + number));
        kinds.put("empty key", row -> row.with("ordering_key", ""));
        kinds.put(
                "control in key",
                row -> row.with("ordering_key", number + any(CONTROLS)).becomesNoEvent());
        if (table.takesHalfCharacters()) {
            kinds.put(
                    "half a character in type",
                    row -> row.with("type", "t\ud800").becomesNoEvent());
            kinds.put(
                    "half a character in topic",
                    row -> row.with("topic", row.way.label() + ".\udc00").becomesNoEvent());
        }
    }

    /** Of any version and variant. */
    private UUID anyId() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private <T> T any(List<T> some) {
        return some.get(random.nextInt(some.size()));
    }

    private String either(String escape) {
        return random.nextBoolean() ? header("a" + escape, "b") : header("a", escape + "b");
    }

    private static String header(String name, String value) {
        return "{\"" + name + "\":\"" + value + "\"}";
    }

    private static String headers(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"header-" + i + "\":\"v\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static byte[] zipped(byte[] plain) {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(buffer)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffer.toByteArray();
    }
}
