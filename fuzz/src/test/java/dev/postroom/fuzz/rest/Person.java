package dev.postroom.fuzz.rest;

import java.util.Locale;

/** Who sends a request. Those who may change nothing come first, so that what they must not see is still there. */
enum Person {
    NOBODY,
    VIEWER,
    /** Of the tenant acme alone. */
    TENANT_OPERATOR,
    OPERATOR;

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether rows of any kind, the audit's too, must be the same before and after. */
    boolean mayOnlyLook() {
        return this == NOBODY || this == VIEWER;
    }
}
