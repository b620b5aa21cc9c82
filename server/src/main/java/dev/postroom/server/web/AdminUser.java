package dev.postroom.server.web;

import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;

/**
 * Somebody who may sign in.
 *
 * @param password as it is in the settings: itself, or {@code {bcrypt}} and its hash
 */
public record AdminUser(String name, String password, Rights rights) {
    static final String BCRYPT = "{bcrypt}";

    /** Bound to no tenant, and without the permission to reveal. */
    public AdminUser(String name, String password, Role role) {
        this(name, password, Rights.of(role));
    }

    boolean isHashed() {
        return password.startsWith(BCRYPT);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return name + " (" + rights.role().label() + ")";
    }
}
