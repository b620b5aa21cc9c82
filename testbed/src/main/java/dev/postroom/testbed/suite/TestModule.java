package dev.postroom.testbed.suite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A module that has been built, with its test classes.
 *
 * @param name its folder below the root, such as {@code transports/kafka}
 * @param classPath what its tests run with, this module's own classes first
 */
record TestModule(String name, Path folder, String classPath, List<String> testClasses) {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    /** The names of all modules, in the order of the root's pom. */
    static List<String> names(Path root) throws IOException {
        List<String> names = new ArrayList<>();
        Matcher module = MODULE.matcher(Files.readString(root.resolve("pom.xml"), StandardCharsets.UTF_8));
        while (module.find()) {
            names.add(module.group(1).strip());
        }
        return names;
    }

    static boolean hasTests(Path root, String name) {
        return Files.isDirectory(root.resolve(name).resolve("src/test/java"));
    }

    static boolean isBuilt(Path root, String name) {
        return Files.isRegularFile(classPathFile(root.resolve(name)));
    }

    static TestModule read(Path root, String name) throws IOException {
        Path folder = root.resolve(name);
        Path target = folder.resolve("target");
        String dependencies =
                Files.readString(classPathFile(folder), StandardCharsets.UTF_8).strip();
        String own = target.resolve("test-classes") + ":" + target.resolve("classes");
        return new TestModule(
                name,
                folder,
                dependencies.isEmpty() ? own : own + ":" + dependencies,
                testClasses(target.resolve("test-classes"), folder.resolve("src/test/java")));
    }

    /** Maven writes it when it has compiled the tests. */
    private static Path classPathFile(Path folder) {
        return folder.resolve("target/test.classpath");
    }

    /**
     * Those with a source of their own: not nested classes, which run with the one around them, and not what Maven may leave
     * behind of a test that was deleted or moved.
     */
    private static List<String> testClasses(Path compiled, Path sources) throws IOException {
        if (!Files.isDirectory(compiled)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(compiled)) {
            return files.map(file -> compiled.relativize(file).toString())
                    .filter(file -> file.endsWith("Test.class"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .filter(file -> Files.exists(sources.resolve(file + ".java")))
                    .map(file -> file.replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }
}
