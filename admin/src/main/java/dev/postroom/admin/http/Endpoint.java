package dev.postroom.admin.http;

import dev.postroom.admin.Role;
import java.util.Set;
import org.springframework.http.HttpMethod;

/**
 * One thing that can be asked for or done.
 *
 * @param path below {@code /api/v1}, with variables in braces
 * @param needed who may; {@link Role#NONE} for everybody
 * @param parameters what may be in the query; anything else is a slip, and refused
 */
public record Endpoint(HttpMethod method, String path, Role needed, Set<String> parameters, Action action) {

    /** Answers a call with a view, or with null for nothing. */
    @FunctionalInterface
    public interface Action {
        Object answer(Call call);
    }

    /** For everybody who may look. */
    public static Endpoint get(String path, Action action, String... parameters) {
        return new Endpoint(HttpMethod.GET, path, Role.VIEWER, Set.of(parameters), action);
    }

    /** For operators. */
    public static Endpoint post(String path, Action action) {
        return new Endpoint(HttpMethod.POST, path, Role.OPERATOR, Set.of(), action);
    }

    /** The same for everybody, also for those who are not signed in. */
    public Endpoint forEverybody() {
        return new Endpoint(method, path, Role.NONE, parameters, action);
    }
}
