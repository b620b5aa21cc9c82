package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A starter's tests run with what its Spring Boot manages. Maven prefers the versions of our own parent to imported ones, so
 * the starter's pom repeats Boot's; this compares the class path with Boot's own list, which the build puts beside the tests.
 */
@Tag("R60")
public abstract class ManagedVersionsContract {
    private final Map<String, String> libraries = new LinkedHashMap<>(Map.of(
            "kafka", "kafka-clients",
            "rabbit-amqp-client", "amqp-client",
            "hibernate", "hibernate-core",
            "micrometer", "micrometer-core",
            "micrometer-tracing", "micrometer-tracing",
            "jackson-bom", "jackson-databind",
            "hikaricp", "HikariCP",
            "h2", "h2",
            "postgresql", "postgresql",
            "mariadb", "mariadb-java-client"));

    @Test
    void every_library_is_the_one_that_spring_boot_manages() throws IOException {
        String managed = managed();
        List<String> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(path -> new File(path).getName())
                .toList();
        libraries.forEach((property, library) ->
                assertThat(classPath).contains(library + "-" + version(managed, property) + ".jar"));
    }

    private static String version(String managed, String property) {
        String tag = Pattern.quote(property + ".version>");
        Matcher version = Pattern.compile("<" + tag + "([^<]+)</" + tag).matcher(managed);
        assertThat(version.find()).as(property).isTrue();
        return version.group(1);
    }

    private String managed() throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/spring-boot-dependencies.pom")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
