package dev.postroom.admin.view;

import org.jspecify.annotations.Nullable;

/** Who the server takes the caller for. */
public record VisitorView(
        @Nullable String name, String role, boolean signedIn, boolean signInNeeded, boolean canSignOut) {}
