package dev.postroom.architecture;

import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;

/**
 * Which module a class belongs to, by its package, and which modules that one may use.
 *
 * <p>{@code root.jdbc…} is the module jdbc; every package that is no module's belongs to core. A new module that is not
 * entered here is therefore held to core's rules, and fails them.
 *
 * @param root {@code dev.postroom}, or the package of the fixtures
 */
record Modules(String root) {

    static final String CORE = "core";

    /**
     * Arrows point to core. The transports also share what is in {@code transport}; only the two programs at the edge, and
     * the auto-configuration for Spring Boot, put modules together.
     */
    static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry(CORE, Set.of()),
            entry("jdbc", Set.of(CORE)),
            entry("json", Set.of(CORE)),
            entry("json3", Set.of(CORE)),
            entry("hibernate", Set.of(CORE)),
            entry("micrometer", Set.of(CORE)),
            entry("transport", Set.of(CORE)),
            entry("rabbitmq", Set.of(CORE, "transport")),
            entry("kafka", Set.of(CORE, "transport")),
            entry("http", Set.of(CORE, "transport")),
            entry("admin", Set.of(CORE)),
            entry(
                    "spring",
                    Set.of(
                            CORE,
                            "admin",
                            "json",
                            "json3",
                            "testkit",
                            "transport",
                            "http",
                            "kafka",
                            "rabbitmq",
                            "micrometer")),
            entry("testkit", Set.of(CORE)),
            entry("testbed", Set.of()),
            entry(
                    "server",
                    Set.of(CORE, "admin", "jdbc", "json", "micrometer", "transport", "http", "kafka", "rabbitmq")),
            entry("benchmark", Set.of(CORE, "jdbc", "json", "kafka", "rabbitmq", "server", "testbed", "testkit")));

    /** Modules with a command line: they print. */
    static final Set<String> PROGRAMS = Set.of("server", "benchmark", "testbed");

    boolean contains(JavaClass type) {
        return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
    }

    String of(JavaClass type) {
        String below = type.getPackageName().substring(root.length());
        String first = below.isEmpty() ? "" : below.substring(1).split("\\.", -1)[0];
        return MAY_USE.containsKey(first) ? first : CORE;
    }

    /** The package that all packages of the class's module start with. */
    String rootPackageOf(JavaClass type) {
        String module = of(type);
        return module.equals(CORE) ? root : root + "." + module;
    }

    DescribedPredicate<JavaClass> in(Set<String> modules) {
        return DescribedPredicate.describe("are in " + modules, type -> contains(type) && modules.contains(of(type)));
    }

    DescribedPredicate<JavaClass> outside(Set<String> modules) {
        return DescribedPredicate.describe(
                "are outside " + modules, type -> contains(type) && !modules.contains(of(type)));
    }
}
