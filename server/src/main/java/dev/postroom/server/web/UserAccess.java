package dev.postroom.server.web;

import dev.postroom.admin.Access;
import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Visitor;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.security.core.Authentication;

/** Users of the settings, signed in by a session or by every request. */
final class UserAccess implements Access {
    private final Access signedIn = new ApplicationAccess();

    @Override
    public Visitor visitor(HttpServletRequest request) {
        Visitor visitor = signedIn.visitor(request);
        if (!visitor.signedIn()) {
            return Visitor.unknown(true);
        }
        Rights rights = request.getUserPrincipal() instanceof Authentication who
                ? Roles.bound(visitor.rights(), who.getAuthorities())
                : Rights.NONE;
        boolean session = request.getSession(false) != null;
        return new Visitor(visitor.name(), rights, true, false, session);
    }
}
