package dev.postroom.server.web;

import dev.postroom.admin.http.Answers;
import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Call;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.admin.http.Problem;
import dev.postroom.admin.http.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;

/** Begins and ends sessions, for the page. */
final class SignIn {
    private static final int LONGEST = 1_000;

    private final AuthenticationManager manager;
    private final Ways ways;

    /** The ways to sign in that the page offers. */
    record Ways(boolean password, @Nullable Issuer oidc) {}

    /** @param path where to go, from the page */
    record Issuer(String name, String path) {}

    SignIn(AuthenticationManager manager, AdminSettings settings) {
        this.manager = manager;
        OidcSettings oidc = settings.entrance().oidc();
        this.ways = new Ways(
                !settings.users().isEmpty(),
                oidc == null ? null : new Issuer(oidc.shownName(), "sign-in/" + OidcIssuer.ID));
    }

    List<Endpoint> endpoints() {
        return List.of(
                Endpoint.get("/sign-in", call -> ways).forEverybody(),
                Endpoint.post("/sign-in", this::signIn).forEverybody(),
                Endpoint.post("/sign-out", SignIn::signOut).forEverybody());
    }

    private Object signIn(Call call) {
        Body body = call.body().only("name", "password");
        String name = Objects.requireNonNullElse(body.text("name"), "");
        String password = Objects.requireNonNullElse(body.text("password"), "");
        if (name.length() > LONGEST || password.length() > LONGEST) {
            throw wrong();
        }
        HttpServletRequest request = call.request().servletRequest();
        UsernamePasswordAuthenticationToken token = UsernamePasswordAuthenticationToken.unauthenticated(name, password);
        token.setDetails(new WebAuthenticationDetails(request));
        try {
            begin(request, manager.authenticate(token));
            return Answers.nothing();
        } catch (TooManyTriesException e) {
            return Answers.problem(
                    Problem.TOO_MANY_REQUESTS,
                    Refusal.text(e),
                    headers -> headers.set("Retry-After", Long.toString(e.seconds())));
        } catch (AuthenticationException e) {
            throw wrong();
        }
    }

    private static RefusedException wrong() {
        return new RefusedException(Problem.UNAUTHORIZED, "name or password is wrong");
    }

    /** In a session with a new id: one that somebody else may have planted is worth nothing. */
    static void begin(HttpServletRequest request, Authentication who) {
        HttpSession old = request.getSession(false);
        if (old != null) {
            old.invalidate();
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(who);
        HttpSession session = request.getSession(true);
        SessionAge.begin(session);
        session.setAttribute(HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY, context);
    }

    private static Object signOut(Call call) {
        HttpSession session = call.request().servletRequest().getSession(false);
        if (session != null) {
            session.invalidate();
        }
        return Answers.nothing();
    }
}
