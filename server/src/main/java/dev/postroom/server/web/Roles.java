package dev.postroom.server.web;

import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Role;

/** The names of roles within this server. */
final class Roles {
    private Roles() {}

    static String of(Role role) {
        return role == Role.OPERATOR ? ApplicationAccess.OPERATOR_ROLE : ApplicationAccess.VIEWER_ROLE;
    }
}
