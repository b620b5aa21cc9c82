package dev.postroom.server.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request that a trusted proxy passed on look as it did to the proxy: whose it is, by which name and over which
 * protocol. Anybody else's {@code X-Forwarded} headers mean nothing. A valve and no filter, because Tomcat asks its own request
 * whether a session's cookie is to be {@code Secure}; not Tomcat's {@code RemoteIpValve}, which forgets who the true peer is and
 * ignores the protocol where no address is given.
 */
final class ProxyValve extends ValveBase {
    /** The attribute of requests whose true peer is a trusted proxy. */
    static final String TRUSTED = ProxyValve.class.getName() + ".trusted";

    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}\\])(?::(\\d{1,5}))?");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]{1,100}){1,10}");
    private static final String PREFIX = ProxyValve.class.getName() + ".prefix";
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private final TrustedProxies proxies;

    ProxyValve(TrustedProxies proxies) {
        super(true);
        this.proxies = proxies;
    }

    static boolean isTrusted(jakarta.servlet.ServletRequest request) {
        return Boolean.TRUE.equals(request.getAttribute(TRUSTED));
    }

    /** Under which path a trusted proxy serves this server, or nothing. */
    static String prefix(jakarta.servlet.ServletRequest request) {
        return request.getAttribute(PREFIX) instanceof String prefix ? prefix : "";
    }

    /** Comes here a second time when a body has been collected: it reads only what stays as it was. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String peer = request.getPeerAddr();
        if (proxies.contains(peer)) {
            request.setAttribute(TRUSTED, true);
            String client = proxies.client(peer, values(request, "X-Forwarded-For"));
            request.setRemoteAddr(client);
            request.setRemoteHost(client);
            believeProtocol(request, last(request, "X-Forwarded-Proto"));
            believeHost(request, last(request, "X-Forwarded-Host"));
            believePrefix(request, last(request, "X-Forwarded-Prefix"));
        }
        getNext().invoke(request, response);
    }

    private static void believeProtocol(Request request, @Nullable String protocol) {
        if ("https".equalsIgnoreCase(protocol) || "http".equalsIgnoreCase(protocol)) {
            boolean secure = "https".equalsIgnoreCase(protocol);
            request.setSecure(secure);
            request.getCoyoteRequest().scheme().setString(secure ? "https" : "http");
        }
    }

    /** Also where it stays, for the port that goes without saying depends on the protocol. */
    private static void believeHost(Request request, @Nullable String forwarded) {
        String host = forwarded == null ? request.getHeader("Host") : forwarded;
        Matcher parts = HOST.matcher(host == null ? "" : host);
        if (parts.matches()) {
            request.getCoyoteRequest().serverName().setString(parts.group(1));
            String port = parts.group(2);
            request.setServerPort(port == null ? request.isSecure() ? HTTPS : HTTP : Integer.parseInt(port));
        }
    }

    private static void believePrefix(Request request, @Nullable String prefix) {
        if (prefix != null && PATH.matcher(prefix).matches()) {
            request.setAttribute(PREFIX, prefix);
        }
    }

    /** What the nearest proxy said; what came before may be the client's own. */
    private static @Nullable String last(Request request, String header) {
        List<String> values = values(request, header);
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }

    private static List<String> values(Request request, String header) {
        return Collections.list(request.getHeaders(header)).stream()
                .flatMap(line -> Arrays.stream(line.split(",", -1)))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }
}
