package dev.postroom.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/**
 * Follows the security of the application around it, whatever makes that: the servlet API tells who is signed in and in
 * which roles. Where nobody is signed in, nothing is open.
 */
public record ApplicationAccess(String viewerRole, String operatorRole) implements Access {
    public static final String VIEWER_ROLE = "POSTROOM_VIEWER";
    public static final String OPERATOR_ROLE = "POSTROOM_OPERATOR";

    @Override
    public Visitor visitor(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null
                || principal.getName() == null
                || principal.getName().isBlank()) {
            return Visitor.unknown(false);
        }
        return Visitor.known(principal.getName(), role(request));
    }

    private Role role(HttpServletRequest request) {
        if (request.isUserInRole(operatorRole)) {
            return Role.OPERATOR;
        }
        return request.isUserInRole(viewerRole) ? Role.VIEWER : Role.NONE;
    }
}
