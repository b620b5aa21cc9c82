package dev.postroom.admin.http;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Refuses changes that a browser was talked into by another site. A browser says where a request comes from, and lets no
 * foreign page send JSON without asking first; programs that are no browsers say nothing, and are let through.
 */
public final class RequestGuard {
    private static final Set<String> OWN = Set.of("same-origin", "none");

    private RequestGuard() {}

    /** For every request that changes something. */
    public static void checkChange(HttpServletRequest request) {
        if (!isJson(request.getContentType())) {
            throw new RefusedException(
                    Problem.UNSUPPORTED_MEDIA_TYPE, "send JSON, with the header Content-Type: application/json");
        }
        if (!isOwn(request)) {
            throw RefusedException.forbidden(
                    "this request comes from another site (" + shown(request)
                            + "): open the admin page itself. Behind a proxy, let it pass the header Host on as it is, or trust its X-Forwarded-Host");
        }
    }

    /** For every question: another site's page has no business here, though its user may follow a link to us. */
    public static void checkQuestion(HttpServletRequest request) {
        boolean foreign = "cross-site".equals(request.getHeader("Sec-Fetch-Site"));
        if (foreign && !"navigate".equals(request.getHeader("Sec-Fetch-Mode"))) {
            throw RefusedException.forbidden("this request comes from another site: open the admin page itself");
        }
    }

    private static boolean isJson(@Nullable String contentType) {
        try {
            return contentType != null
                    && MediaType.APPLICATION_JSON.equalsTypeAndSubtype(MediaType.parseMediaType(contentType));
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    /** Where the browser says whether it is the same site, it is believed; else the two names are compared. */
    private static boolean isOwn(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return OWN.contains(site);
        }
        String origin = request.getHeader("Origin");
        return origin == null || authority(origin).equals(host(request));
    }

    /** As the server knows it, which may believe its proxy: the name that the browser has in its address. */
    private static String host(HttpServletRequest request) {
        return shortest(request.getScheme(), request.getServerName() + ":" + request.getServerPort());
    }

    private static String authority(String origin) {
        try {
            URI uri = URI.create(origin);
            return uri.getRawAuthority() == null ? "null" : shortest(uri.getScheme(), uri.getRawAuthority());
        } catch (IllegalArgumentException e) {
            return "null";
        }
    }

    /** Without the port that goes without saying. */
    private static String shortest(@Nullable String scheme, String authority) {
        String usual = "https".equals(scheme) ? ":443" : ":80";
        String text = authority.toLowerCase(Locale.ROOT);
        return text.endsWith(usual) ? text.substring(0, text.length() - usual.length()) : text;
    }

    private static String shown(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String text = origin == null ? "no origin" : origin;
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
