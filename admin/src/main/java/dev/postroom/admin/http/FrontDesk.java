package dev.postroom.admin.http;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.SchemaException;
import dev.postroom.admin.Access;
import dev.postroom.admin.Role;
import dev.postroom.admin.Visitor;
import dev.postroom.operations.NotYoursException;
import dev.postroom.operations.Operations;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Takes every request of the API: looks who asks, whether they may, lets the endpoint answer, and turns whatever goes wrong
 * into a problem of our own form, whatever the application does with its own exceptions. Thread-safe.
 */
public final class FrontDesk {
    private static final Logger LOG = LoggerFactory.getLogger(FrontDesk.class);

    private final String api;
    private final List<Endpoint> endpoints;
    private final Access access;
    private final Function<Visitor, Operations> operations;

    /** @param api where the API is, such as {@code /api/v1} */
    public FrontDesk(String api, List<Endpoint> endpoints, Access access, Function<Visitor, Operations> operations) {
        this.api = api;
        this.endpoints = endpoints;
        this.access = access;
        this.operations = operations;
    }

    public RouterFunction<ServerResponse> routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        for (Endpoint endpoint : endpoints) {
            if (endpoint.method().equals(HttpMethod.GET)) {
                routes.GET(api + endpoint.path(), request -> answer(endpoint, request))
                        .HEAD(api + endpoint.path(), request -> answer(endpoint, request));
            } else {
                routes.POST(api + endpoint.path(), request -> answer(endpoint, request));
            }
        }
        return routes.path(api, below -> below.route(request -> true, this::nothingThere))
                .build();
    }

    private ServerResponse answer(Endpoint endpoint, ServerRequest request) {
        try {
            Visitor visitor = access.visitor(request.servletRequest());
            readable(() -> checkHeaders(endpoint, request));
            checkRole(visitor, endpoint.needed());
            checkReach(visitor, endpoint);
            readable(() -> checkParameters(endpoint, request));
            Object view = endpoint.action().answer(new Call(request, visitor, operations));
            return view instanceof ServerResponse response ? response : Answers.json(view);
        } catch (RefusedException e) {
            return refuse(e, request);
        } catch (NotYoursException e) {
            return Answers.problem(Problem.FORBIDDEN, text(e));
        } catch (DatabaseException | SchemaException e) {
            return Answers.problem(Problem.DATABASE, text(e), headers -> headers.set("Retry-After", "5"));
        } catch (PostroomException e) {
            return Answers.problem(Problem.BAD_REQUEST, text(e));
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", endpoint.method(), api + endpoint.path(), e);
            return Answers.problem(
                    Problem.INTERNAL_ERROR, "this is a fault of Postroom: the log of this process says more");
        }
    }

    private static ServerResponse refuse(RefusedException e, ServerRequest request) {
        boolean browser = request.servletRequest().getHeader("Sec-Fetch-Mode") != null;
        return Answers.problem(e.problem(), e.detail(), headers -> {
            // A browser would show a window of its own, on top of the page that asks for the same.
            if (e.problem() == Problem.UNAUTHORIZED && !browser) {
                headers.set("WWW-Authenticate", "Basic realm=\"postroom\", charset=\"UTF-8\"");
            }
        });
    }

    private static void checkRole(Visitor visitor, Role needed) {
        if (visitor.role().mayActAs(needed)) {
            return;
        }
        if (visitor.signInNeeded()) {
            throw new RefusedException(Problem.UNAUTHORIZED, "sign in: with Basic authentication, or on the page");
        }
        if (!visitor.signedIn()) {
            throw RefusedException.forbidden("nobody is signed in, and the admin surface is never open to everybody:"
                    + " let your application's security sign people in for these paths, and give them the role of"
                    + " postroom.admin.viewer-role or postroom.admin.operator-role");
        }
        throw RefusedException.forbidden(
                needed == Role.OPERATOR && visitor.role() == Role.VIEWER
                        ? visitor.name() + " may look, but not change anything: that takes an operator"
                        : visitor.name() + " has neither the role of viewers nor that of operators: see"
                                + " postroom.admin.viewer-role and postroom.admin.operator-role, or at a standalone server"
                                + " the viewer-groups and operator-groups of whoever signs people in");
    }

    private static void checkReach(Visitor visitor, Endpoint endpoint) {
        if (endpoint.reach() == Endpoint.Reach.ALL_TENANTS && !visitor.tenants().areAll()) {
            throw RefusedException.forbidden("this concerns all tenants, and " + visitor.name() + " is bound to "
                    + visitor.tenants().describe() + ": ask somebody who is bound to none");
        }
        if (endpoint.reach() == Endpoint.Reach.REVEALING && !visitor.rights().mayReveal()) {
            throw RefusedException.forbidden(
                    visitor.name() + " may not reveal what is redacted: that takes the permission"
                            + " postroom.admin.users[n].permissions = reveal, or the role of postroom.admin.reveal-role");
        }
    }

    /** What they cannot decode or do not like, containers and firewalls refuse with exceptions of their own, when it is first asked for. */
    private static void readable(Runnable look) {
        try {
            look.run();
        } catch (RefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw RefusedException.badRequest(
                    "a header or a parameter cannot be read: leave out control characters, and"
                            + " write % as %25 and what is not ASCII as UTF-8 in percent signs");
        }
    }

    private static void checkHeaders(Endpoint endpoint, ServerRequest request) {
        if (endpoint.method().equals(HttpMethod.GET)) {
            RequestGuard.checkQuestion(request.servletRequest());
        } else {
            RequestGuard.checkChange(request.servletRequest());
        }
    }

    private static void checkParameters(Endpoint endpoint, ServerRequest request) {
        for (String name : request.params().keySet()) {
            if (!endpoint.parameters().contains(name)) {
                String known = endpoint.parameters().isEmpty()
                        ? "there are none"
                        : "use " + String.join(", ", new TreeSet<>(endpoint.parameters()));
                throw RefusedException.badRequest("'" + (name.length() <= 60 ? name : name.substring(0, 60) + "…")
                        + "' is no parameter here: " + known);
            }
        }
    }

    private ServerResponse nothingThere(ServerRequest request) {
        PathContainer path = request.requestPath().pathWithinApplication();
        Set<String> methods = endpoints.stream()
                .filter(endpoint -> PathPatternParser.defaultInstance
                        .parse(api + endpoint.path())
                        .matches(path))
                .flatMap(endpoint -> methods(endpoint).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (methods.isEmpty()) {
            return Answers.problem(Problem.NOT_FOUND, "there is nothing here: " + api + "/openapi.json lists what is");
        }
        String allowed = String.join(", ", methods);
        return Answers.problem(Problem.METHOD_NOT_ALLOWED, "use " + allowed, headers -> headers.set("Allow", allowed));
    }

    /** Whoever may ask may ask for the headers alone; the container leaves the body out. */
    private static List<String> methods(Endpoint endpoint) {
        return endpoint.method().equals(HttpMethod.GET)
                ? List.of("GET", "HEAD")
                : List.of(endpoint.method().name());
    }

    private static String text(PostroomException e) {
        return String.valueOf(e.getMessage());
    }
}
