package dev.postroom.server.web;

import dev.postroom.admin.Role;

/**
 * Somebody who may sign in.
 *
 * @param password as it is in the settings: itself, or {@code {bcrypt}} and its hash
 */
public record AdminUser(String name, String password, Role role) {
    static final String BCRYPT = "{bcrypt}";

    boolean isHashed() {
        return password.startsWith(BCRYPT);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return name + " (" + role.label() + ")";
    }
}
