package dev.postroom.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who the server takes the caller for.
 *
 * @param tenants those that they are bound to; null for none, which is to see all
 */
public record VisitorView(
        @Nullable String name,
        String role,
        boolean signedIn,
        boolean signInNeeded,
        boolean canSignOut,
        boolean mayReveal,
        @Nullable List<String> tenants) {}
