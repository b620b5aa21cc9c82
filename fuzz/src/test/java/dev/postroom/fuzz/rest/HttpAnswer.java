package dev.postroom.fuzz.rest;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What came back.
 *
 * @param headers by name in small letters; of several, the last
 * @param body uncompressed
 */
@SuppressWarnings("ArrayRecordComponent") // a body is handed through, never compared
record HttpAnswer(int status, Map<String, String> headers, byte[] body, long nanos) {

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Whether it is data, not a part of the page. */
    boolean isData() {
        return header("content-type").startsWith("application/json")
                || header("content-type").startsWith("text/plain")
                || header("content-type").startsWith("application/vnd.");
    }
}
