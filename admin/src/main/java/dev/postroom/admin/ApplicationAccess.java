package dev.postroom.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/**
 * Follows the security of the application around it, whatever makes that: the servlet API tells who is signed in and in
 * which roles. Where nobody is signed in, nothing is open.
 */
public record ApplicationAccess(String viewerRole, String operatorRole, String revealRole) implements Access {
    public static final String VIEWER_ROLE = "POSTROOM_VIEWER";
    public static final String OPERATOR_ROLE = "POSTROOM_OPERATOR";
    /** Of those who may see what is redacted, beside one of the others. */
    public static final String REVEAL_ROLE = "POSTROOM_REVEAL";

    /** With the usual names of roles. */
    public ApplicationAccess() {
        this(VIEWER_ROLE, OPERATOR_ROLE, REVEAL_ROLE);
    }

    @Override
    public Visitor visitor(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        if (principal == null
                || principal.getName() == null
                || principal.getName().isBlank()) {
            return Visitor.unknown(false);
        }
        return Visitor.known(principal.getName(), Rights.of(role(request)).revealing(request.isUserInRole(revealRole)));
    }

    private Role role(HttpServletRequest request) {
        if (request.isUserInRole(operatorRole)) {
            return Role.OPERATOR;
        }
        return request.isUserInRole(viewerRole) ? Role.VIEWER : Role.NONE;
    }
}
