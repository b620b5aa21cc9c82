package dev.postroom.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final Modules MODULES = new Modules("dev.postroom");
    private static final Rules RULES = new Rules(MODULES);

    private static JavaClasses postroom;

    @BeforeAll
    static void read_the_main_classes_of_all_modules() {
        postroom = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(MODULES.root());
    }

    @Test
    void every_module_was_looked_at() {
        Set<String> seen = new TreeSet<>();
        postroom.forEach(type -> seen.add(MODULES.of(type)));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(Modules.MAY_USE.keySet());
    }

    @Test
    void core_uses_java_slf4j_and_jspecify_only() {
        RULES.core_uses_java_slf4j_and_jspecify_only().check(postroom);
    }

    @Test
    void modules_use_only_the_modules_they_may() {
        RULES.modules_use_only_the_modules_they_may().check(postroom);
    }

    @Test
    void internal_packages_stay_inside_their_module() {
        RULES.internal_packages_stay_inside_their_module().check(postroom);
    }

    @Test
    void packages_are_null_marked() {
        RULES.packages_are_null_marked().check(postroom);
    }

    @Test
    void packages_have_no_cycles() {
        RULES.packages_have_no_cycles().check(postroom);
    }

    @Test
    void libraries_print_nothing() {
        RULES.libraries_print_nothing().check(postroom);
    }

    @Test
    void logs_go_through_slf4j() {
        RULES.logs_go_through_slf4j().check(postroom);
    }

    @Test
    void nobody_reads_the_wall_clock() {
        RULES.nobody_reads_the_wall_clock().check(postroom);
    }
}
