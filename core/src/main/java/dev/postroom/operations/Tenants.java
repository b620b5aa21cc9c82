package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whose messages somebody may see and touch: everybody's, or those of the tenants that they are bound to. A message
 * without a tenant is nobody's, so only who is bound to none sees it. Immutable.
 *
 * @param names sorted; null for everybody's
 */
public record Tenants(@Nullable List<String> names) {
    /** Bound to none. */
    public static final Tenants ALL = new Tenants(null);

    private static final int MOST = 100;

    public Tenants {
        if (names != null) {
            Set<String> sorted = new TreeSet<>(names);
            if (sorted.isEmpty() || sorted.size() > MOST) {
                throw new PostroomException("somebody is bound to 1 to " + MOST + " tenants (were " + sorted.size()
                        + "): leave tenants out for whoever may see all");
            }
            if (sorted.stream().anyMatch(String::isBlank)) {
                throw new PostroomException("a tenant's name must not be blank: messages without a tenant are seen only"
                        + " by those who are bound to none");
            }
            names = List.copyOf(sorted);
        }
    }

    /** Bound to these. */
    public static Tenants of(Collection<String> names) {
        return new Tenants(List.copyOf(names));
    }

    public boolean areAll() {
        return names == null;
    }

    public boolean include(String tenant) {
        return names == null || names.contains(tenant);
    }

    /** The tenant that is meant by whoever names none, where that is clear. */
    @Nullable
    String only() {
        return names != null && names.size() == 1 ? names.get(0) : null;
    }

    /** For people and the audit: {@code acme, globex}. */
    public String describe() {
        return names == null ? "all tenants" : String.join(", ", names);
    }
}
