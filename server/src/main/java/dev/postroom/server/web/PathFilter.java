package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.springframework.http.server.RequestPath;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses the paths that Spring would answer with an internal error, though the fault is the request's. */
final class PathFilter extends OncePerRequestFilter {
    /** No part of health has parts of its own, and Spring Boot 4.1 fails when it looks for one. */
    private static final Pattern PART_OF_HEALTH = Pattern.compile("/+actuator/+health/+[^/]+/+[^/].*", Pattern.DOTALL);

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isReadable(request)) {
            Refusal.write(response, Problem.BAD_REQUEST, Refusal.advice(Problem.BAD_REQUEST.status()));
        } else if (PART_OF_HEALTH.matcher(request.getServletPath()).matches()) {
            Refusal.write(
                    response,
                    Problem.NOT_FOUND,
                    "health has no such part: there are /actuator/health/liveness and /actuator/health/readiness");
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Tomcat reads the path without its parameters ({@code ;a=b}), Spring with them. */
    private static boolean isReadable(HttpServletRequest request) {
        try {
            RequestPath.parse(request.getRequestURI(), request.getContextPath());
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
