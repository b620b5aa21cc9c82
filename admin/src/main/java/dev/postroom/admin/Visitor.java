package dev.postroom.admin;

import dev.postroom.operations.Tenants;
import org.jspecify.annotations.Nullable;

/**
 * Who asks.
 *
 * @param name what the audit calls them; null when nobody is known
 * @param signedIn whether they proved to be that
 * @param signInNeeded whether signing in here would help
 * @param canSignOut whether there is a session to end
 */
public record Visitor(
        @Nullable String name, Rights rights, boolean signedIn, boolean signInNeeded, boolean canSignOut) {

    /** Somebody known. */
    public static Visitor known(String name, Role role) {
        return known(name, Rights.of(role));
    }

    /** Somebody known. */
    public static Visitor known(String name, Rights rights) {
        return new Visitor(name, rights, true, false, false);
    }

    /** Nobody known, who may do nothing here. */
    public static Visitor unknown(boolean signInNeeded) {
        return new Visitor(null, Rights.NONE, false, signInNeeded, false);
    }

    public Role role() {
        return rights.role();
    }

    public Tenants tenants() {
        return rights.tenants();
    }
}
