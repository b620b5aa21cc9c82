package dev.postroom.admin.http;

import dev.postroom.admin.Role;
import java.util.Set;
import org.springframework.http.HttpMethod;

/**
 * One thing that can be asked for or done.
 *
 * @param path below {@code /api/v1}, with variables in braces
 * @param needed who may; {@link Role#NONE} for everybody
 * @param reach how far it goes
 * @param parameters what may be in the query; anything else is a slip, and refused
 */
public record Endpoint(
        HttpMethod method, String path, Role needed, Reach reach, Set<String> parameters, Action action) {

    /** Whom and what it concerns. What says nothing is closed to those who are bound to tenants. */
    public enum Reach {
        /** All tenants: refused to those who are bound to some. */
        ALL_TENANTS,
        /** Only what the visitor's own operations see. */
        OWN_TENANTS,
        /** The same, for those who may reveal. */
        REVEALING
    }

    /** Answers a call with a view, or with null for nothing. */
    @FunctionalInterface
    public interface Action {
        Object answer(Call call);
    }

    /** For everybody who may look. */
    public static Endpoint get(String path, Action action, String... parameters) {
        return new Endpoint(HttpMethod.GET, path, Role.VIEWER, Reach.ALL_TENANTS, Set.of(parameters), action);
    }

    /** For operators. */
    public static Endpoint post(String path, Action action) {
        return new Endpoint(HttpMethod.POST, path, Role.OPERATOR, Reach.ALL_TENANTS, Set.of(), action);
    }

    /** The same for everybody, also for those who are not signed in. */
    public Endpoint forEverybody() {
        return new Endpoint(method, path, Role.NONE, Reach.OWN_TENANTS, parameters, action);
    }

    /** The same for those who are bound to tenants too, whose operations see no others'. */
    public Endpoint forTenants() {
        return new Endpoint(method, path, needed, Reach.OWN_TENANTS, parameters, action);
    }

    /** The same for whoever may look and has the permission to reveal. */
    public Endpoint forRevealing() {
        return new Endpoint(method, path, Role.VIEWER, Reach.REVEALING, parameters, action);
    }
}
