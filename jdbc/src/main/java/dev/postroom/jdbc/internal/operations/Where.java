package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.Tenants;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Conditions and the values bound to them, kept together so that they cannot get out of step. Not thread-safe. */
final class Where {
    private final StringBuilder text = new StringBuilder("TRUE");
    private final List<@Nullable Object> values = new ArrayList<>();

    /** A condition with a question mark for each value. */
    Where and(String condition, Object... bound) {
        text.append(" AND (").append(condition).append(')');
        Collections.addAll(values, bound);
        return this;
    }

    /** A value for a question mark that the statement has itself, in place of conditions. */
    static Where bound(Object value) {
        Where where = new Where();
        where.values.add(value);
        return where;
    }

    /** The column is one of the tenants that somebody is bound to. */
    static Where ofTenants(String column, Tenants tenants) {
        return new Where().andTenants(column, tenants);
    }

    Where andTenants(String column, Tenants tenants) {
        return tenants.names() == null ? this : andIn(column, tenants.names());
    }

    /** A condition only if there is a value to compare with. */
    Where andIf(String condition, @Nullable Object value) {
        return value == null ? this : and(condition, value);
    }

    /** The column is one of these, of which there is at least one. */
    Where andIn(String column, List<?> of) {
        text.append(" AND ")
                .append(column)
                .append(" IN (?")
                .append(", ?".repeat(of.size() - 1))
                .append(')');
        values.addAll(of);
        return this;
    }

    /** A statement with the conditions in place of {@code {where}}. */
    String in(String sql) {
        return sql.replace("{where}", text);
    }

    /** The values, between those that come before and after the conditions. */
    List<@Nullable Object> values(List<?> before, List<?> after) {
        List<@Nullable Object> all = new ArrayList<>(before);
        all.addAll(values);
        all.addAll(after);
        return all;
    }

    List<@Nullable Object> values(Object... after) {
        return values(List.of(), List.of(after));
    }
}
