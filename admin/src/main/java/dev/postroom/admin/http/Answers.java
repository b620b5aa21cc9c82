package dev.postroom.admin.http;

import dev.postroom.admin.view.ViewJson;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Writes answers as bytes of our own making, past the application's message converters, and with the headers that keep a
 * browser from doing anything else with them.
 */
public final class Answers {
    /** Nothing but our own files, no script in the page itself, nobody's frame. */
    public static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none';"
            + " frame-ancestors 'none'";

    private static final MediaType JSON = new MediaType("application", "json", StandardCharsets.UTF_8);
    private static final MediaType PROBLEM = new MediaType("application", "problem+json", StandardCharsets.UTF_8);

    private Answers() {}

    public static ServerResponse json(Object view) {
        return bytes(ServerResponse.ok().contentType(JSON).cacheControl(noStore()), ViewJson.bytes(view));
    }

    /** JSON that is there already. */
    public static ServerResponse document(byte[] json) {
        return bytes(ServerResponse.ok().contentType(JSON).cacheControl(noStore()), json);
    }

    public static ServerResponse nothing() {
        return secured(ServerResponse.noContent().cacheControl(noStore())).build();
    }

    public static ServerResponse problem(Problem problem, String detail) {
        return problem(problem, detail, headers -> {});
    }

    public static ServerResponse problem(
            Problem problem, String detail, java.util.function.Consumer<HttpHeaders> headers) {
        ServerResponse.BodyBuilder builder = ServerResponse.status(problem.status())
                .contentType(PROBLEM)
                .cacheControl(noStore())
                .headers(headers);
        return bytes(builder, ViewJson.bytes(problem.view(detail)));
    }

    static ServerResponse file(StaticFile file) {
        ServerResponse.BodyBuilder builder = ServerResponse.ok()
                .contentType(file.type())
                .eTag(file.eTag())
                .header(HttpHeaders.CACHE_CONTROL, "no-cache");
        return bytes(builder, file.content());
    }

    static ServerResponse redirect(String location) {
        return secured(ServerResponse.status(308).location(URI.create(location)))
                .build();
    }

    private static org.springframework.http.CacheControl noStore() {
        return org.springframework.http.CacheControl.noStore();
    }

    private static ServerResponse bytes(ServerResponse.BodyBuilder builder, byte[] content) {
        return secured(builder).contentLength(content.length).build((request, response) -> {
            response.getOutputStream().write(content);
            return null;
        });
    }

    private static ServerResponse.BodyBuilder secured(ServerResponse.BodyBuilder builder) {
        return builder.header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin");
    }

    private static ServerResponse.HeadersBuilder<?> secured(ServerResponse.HeadersBuilder<?> builder) {
        return builder.header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer");
    }
}
