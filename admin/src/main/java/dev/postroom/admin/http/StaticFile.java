package dev.postroom.admin.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** A file of the page, with a tag that changes with its content. */
@SuppressWarnings("ArrayRecordComponent") // content is handed through, never compared
record StaticFile(byte[] content, MediaType type, String eTag) {
    private static final Map<String, MediaType> TYPES = Map.of(
            "html", text("html"),
            "js", text("javascript"),
            "mjs", text("javascript"),
            "css", text("css"),
            "svg", MediaType.parseMediaType("image/svg+xml"),
            "png", MediaType.IMAGE_PNG,
            "ico", MediaType.parseMediaType("image/x-icon"),
            "woff2", MediaType.parseMediaType("font/woff2"),
            "json", MediaType.APPLICATION_JSON,
            "map", MediaType.APPLICATION_JSON);

    static StaticFile of(byte[] content, MediaType type) {
        return new StaticFile(content, type, "\"" + hash(content) + "\"");
    }

    /** Null for files that the page has no use for. */
    static @Nullable MediaType type(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? null : TYPES.get(name.substring(dot + 1).toLowerCase(Locale.ROOT));
    }

    private static MediaType text(String subtype) {
        return new MediaType("text", subtype, StandardCharsets.UTF_8);
    }

    private static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
