package dev.postroom.server.web;

import dev.postroom.admin.Access;
import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Visitor;
import jakarta.servlet.http.HttpServletRequest;

/** Users of the settings, signed in by a session or by every request. */
final class UserAccess implements Access {
    private final Access signedIn =
            new ApplicationAccess(ApplicationAccess.VIEWER_ROLE, ApplicationAccess.OPERATOR_ROLE);

    @Override
    public Visitor visitor(HttpServletRequest request) {
        Visitor visitor = signedIn.visitor(request);
        if (!visitor.signedIn()) {
            return Visitor.unknown(true);
        }
        boolean session = request.getSession(false) != null;
        return new Visitor(visitor.name(), visitor.role(), true, false, session);
    }
}
