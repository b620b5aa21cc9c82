package dev.postroom.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.GeneralCodingRules;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.NullMarked;

/** What every class of Postroom keeps to. ArchUnit fails a rule that found no class to look at. */
record Rules(Modules modules) {

    /** Calls that read the wall clock by themselves; one InstantSource is handed around instead. */
    private static final Map<String, Set<String>> WALL_CLOCKS = Map.of(
            "java.lang.System", Set.of("currentTimeMillis"),
            "java.time.Instant", Set.of("now"),
            "java.time.LocalDate", Set.of("now"),
            "java.time.LocalTime", Set.of("now"),
            "java.time.LocalDateTime", Set.of("now"),
            "java.time.OffsetDateTime", Set.of("now"),
            "java.time.ZonedDateTime", Set.of("now"),
            "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system"),
            "java.util.Calendar", Set.of("getInstance"));

    ArchRule core_uses_java_slf4j_and_jspecify_only() {
        DescribedPredicate<JavaClass> allowed = resideInAnyPackage(
                        "java..", "javax.sql..", "javax.net.ssl..", "org.slf4j..", "org.jspecify..")
                .or(modules.in(Set.of(Modules.CORE)));
        return classes()
                .that(modules.in(Set.of(Modules.CORE)))
                .should()
                .onlyDependOnClassesThat(allowed)
                .because("core goes into every application and must bring nothing along");
    }

    ArchRule modules_use_only_the_modules_they_may() {
        return classes()
                .that(modules.in(Modules.MAY_USE.keySet()))
                .should(haveNo("dependency against the arrows", (from, to) -> {
                    String used = modules.of(to);
                    String user = modules.of(from);
                    return !used.equals(user) && !Modules.MAY_USE.get(user).contains(used);
                }))
                .because("arrows point to core");
    }

    ArchRule internal_packages_stay_inside_their_module() {
        return classes()
                .that(modules.in(Modules.MAY_USE.keySet()))
                .should(haveNo(
                        "use of another module's internals",
                        (from, to) -> isInternal(to) && !modules.of(from).equals(modules.of(to))))
                .because("internal packages are no API and change without notice");
    }

    ArchRule packages_are_null_marked() {
        return classes()
                .that(modules.in(Modules.MAY_USE.keySet()))
                .should(new ArchCondition<>("be in a package whose package-info.java says @NullMarked") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
                        String message = type.getName() + " is in a package that is not @NullMarked";
                        events.add(new SimpleConditionEvent(type, marked, message));
                    }
                });
    }

    /**
     * A module's root package is left out: it is what users type, it starts what lies below, and what lies below speaks
     * in its words. Everything below is a layer.
     */
    ArchRule packages_have_no_cycles() {
        return slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        boolean facade =
                                !modules.contains(type) || type.getPackageName().equals(modules.rootPackageOf(type));
                        return facade ? SliceIdentifier.ignore() : SliceIdentifier.of(type.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages below the modules' root packages";
                    }
                })
                .should()
                .beFreeOfCycles();
    }

    ArchRule libraries_print_nothing() {
        return noClasses()
                .that(modules.outside(Modules.PROGRAMS))
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
                .because("only a command line owns standard output");
    }

    ArchRule logs_go_through_slf4j() {
        return noClasses().that(modules.in(Modules.MAY_USE.keySet())).should(GeneralCodingRules.USE_JAVA_UTIL_LOGGING);
    }

    ArchRule nobody_reads_the_wall_clock() {
        return noClasses()
                .that(modules.in(Modules.MAY_USE.keySet()))
                .should(accessTargetWhere(describe("reads the wall clock", Rules::readsTheWallClock)))
                .because("time comes from one InstantSource, which a test or the simulator replaces");
    }

    private static boolean readsTheWallClock(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        return WALL_CLOCKS.getOrDefault(target.getOwner().getName(), Set.of()).contains(target.getName())
                || target.getFullName().equals("java.util.Date.<init>()");
    }

    private static boolean isInternal(JavaClass type) {
        return (type.getPackageName() + ".").contains(".internal.");
    }

    private ArchCondition<JavaClass> haveNo(String what, BiPredicate<JavaClass, JavaClass> forbidden) {
        return new ArchCondition<>("have no " + what) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    JavaClass target = dependency.getTargetClass();
                    if (modules.contains(target) && forbidden.test(type, target)) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }
}
