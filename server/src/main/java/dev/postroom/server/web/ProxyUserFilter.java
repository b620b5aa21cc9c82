package dev.postroom.server.web;

import dev.postroom.admin.Rights;
import dev.postroom.admin.http.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/** Takes a trusted proxy's word for who asks, request by request. The true peer counts, not what it says of others. */
final class ProxyUserFilter extends OncePerRequestFilter {
    private static final int LONGEST_NAME = 128;

    private final ProxyUsers users;

    ProxyUserFilter(ProxyUsers users) {
        this.users = users;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> names = values(request, users.userHeader());
        List<String> groups = values(request, users.groupsHeader());
        List<String> tenants = values(request, users.tenantsHeader());
        if (!ProxyValve.isTrusted(request)) {
            chain.doFilter(request, response);
        } else if (names.size() > 1
                || groups.size() > 1
                || tenants.size() > 1
                || (!names.isEmpty() && names.get(0).length() > LONGEST_NAME)) {
            Refusal.write(
                    response,
                    Problem.FORBIDDEN,
                    "the proxy sent a header about its user twice, or a name of more than " + LONGEST_NAME
                            + " characters: let it replace the headers that a client sent instead of adding to them");
        } else if (names.isEmpty() || names.get(0).isEmpty()) {
            chain.doFilter(request, response);
        } else {
            Rights rights = users.rights().of(words(groups), users.tenantsHeader() == null ? null : words(tenants));
            SecurityContext context = SecurityContextHolder.createEmptyContext();
            context.setAuthentication(Roles.signedIn(names.get(0), rights));
            SecurityContextHolder.setContext(context);
            chain.doFilter(request, response);
        }
    }

    private static List<String> words(List<String> header) {
        return header.isEmpty() || header.get(0).isEmpty()
                ? List.of()
                : Arrays.asList(header.get(0).strip().split("\\s*,\\s*"));
    }

    /** Also those without a word in them: one that is there twice is one too many. */
    private static List<String> values(HttpServletRequest request, @Nullable String header) {
        if (header == null) {
            return List.of();
        }
        return Collections.list(request.getHeaders(header)).stream()
                .map(ProxyUserFilter::decoded)
                .toList();
    }

    /** Tomcat reads headers as Latin-1; names come as UTF-8. */
    private static String decoded(String value) {
        return new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).strip();
    }
}
