package dev.postroom.admin;

import java.util.Locale;

/** What somebody may do, from nothing to everything. */
public enum Role {
    NONE,
    /** May look. */
    VIEWER,
    /** May look and change. */
    OPERATOR;

    /** As it is written in settings and REST. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean mayActAs(Role needed) {
        return compareTo(needed) >= 0;
    }
}
