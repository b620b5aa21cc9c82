package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
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

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isLoopback(request.getHeader("Host"))) {
            chain.doFilter(request, response);
        } else {
            Refusal.write(
                    response,
                    Problem.FORBIDDEN,
                    "without users this server answers only to names of this machine: open it as http://localhost, or"
                            + " configure postroom.admin.users");
        }
    }

    static boolean isLoopback(@Nullable String host) {
        return host != null && LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}
