package dev.postroom.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each rule reports a class that breaks it: a rule that cannot fail protects nothing. */
class RulesTest {

    private static final String FIXTURE = "dev.postroom.architecture.fixture";
    private static final Rules RULES = new Rules(new Modules(FIXTURE));

    private static JavaClasses fixture;

    @BeforeAll
    static void read_the_fixture() {
        fixture = new ClassFileImporter().importPackages(FIXTURE);
    }

    @Test
    void a_library_in_core_is_reported() {
        reports(RULES.core_uses_java_slf4j_and_jspecify_only(), "CoreWithLibrary");
    }

    @Test
    void a_dependency_against_the_arrows_is_reported() {
        reports(RULES.modules_use_only_the_modules_they_may(), "StoreWithJson");
    }

    @Test
    void use_of_internals_is_reported() {
        reports(RULES.internal_packages_stay_inside_their_module(), "CodecWithInternals");
    }

    @Test
    void a_package_without_null_marking_is_reported() {
        reports(RULES.packages_are_null_marked(), "Unmarked");
    }

    @Test
    void a_cycle_of_packages_is_reported() {
        reports(RULES.packages_have_no_cycles(), "Circular");
    }

    @Test
    void a_library_that_prints_is_reported() {
        reports(RULES.libraries_print_nothing(), "Printing");
    }

    @Test
    void java_util_logging_is_reported() {
        reports(RULES.logs_go_through_slf4j(), "Logging");
    }

    @Test
    void wall_clocks_are_reported() {
        reports(RULES.nobody_reads_the_wall_clock(), "WallClock.millis");
        reports(RULES.nobody_reads_the_wall_clock(), "WallClock.local");
        reports(RULES.nobody_reads_the_wall_clock(), "WallClock.instant");
        reports(RULES.nobody_reads_the_wall_clock(), "WallClock.date");
    }

    private static void reports(ArchRule rule, String culprit) {
        assertThat(rule.evaluate(fixture).getFailureReport().getDetails()).anyMatch(line -> line.contains(culprit));
    }
}
