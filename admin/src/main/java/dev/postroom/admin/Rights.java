package dev.postroom.admin;

import dev.postroom.operations.Tenants;

/**
 * What somebody may do, with whose messages.
 *
 * @param mayReveal whether they may see what is redacted; each time is written to the audit
 * @param tenants whose messages they see and touch
 */
public record Rights(Role role, boolean mayReveal, Tenants tenants) {
    public static final Rights NONE = of(Role.NONE);

    /** Without revealing, and bound to no tenant. */
    public static Rights of(Role role) {
        return new Rights(role, false, Tenants.ALL);
    }

    public Rights revealing(boolean value) {
        return new Rights(role, value, tenants);
    }

    public Rights within(Tenants value) {
        return new Rights(role, mayReveal, value);
    }
}
