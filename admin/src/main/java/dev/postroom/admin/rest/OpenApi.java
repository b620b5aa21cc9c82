package dev.postroom.admin.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the API, which is a file. */
final class OpenApi {
    private static final String FILE = "/dev/postroom/admin/openapi.json";

    private OpenApi() {}

    static byte[] document() {
        try (InputStream in = OpenApi.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing in this jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }
}
