package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Where everybody on this machine may do everything, a foreign web page must not get there by way of the browser: a name of
 * its own that leads to 127.0.0.1 is refused (DNS rebinding).
 */
final class LoopbackGuard extends OncePerRequestFilter {
    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1\\])(:\\d{1,5})?");

    /** What proxies add, beside {@code X-Forwarded-}, in small letters. */
    private static final Set<String> FORWARDING =
            Set.of("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isLoopback(request.getHeader("Host")) && !isPassedOn(request)) {
            chain.doFilter(request, response);
        } else {
            Refusal.write(
                    response,
                    Problem.FORBIDDEN,
                    "without users this server answers only to this machine, by its own names and through no proxy: open it as"
                            + " http://localhost, or configure postroom.admin.users");
        }
    }

    /** A proxy on this machine may call us by a name of it, while others call the proxy; whatever it says of them may be theirs. */
    private static boolean isPassedOn(HttpServletRequest request) {
        return Collections.list(request.getHeaderNames()).stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .anyMatch(name -> FORWARDING.contains(name) || name.startsWith("x-forwarded-"));
    }

    static boolean isLoopback(@Nullable String host) {
        return host != null && LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}
