package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.RabbitMqBroker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;

/** A project with one module, {@code shop}, and what the suite prints about it. */
final class SmallProject {

    final Path root;

    Preparation preparation =
            variant -> Optional.ofNullable(variant.properties().get(RabbitMqBroker.VERSION))
                    .map(version -> version + ".9.1");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    SmallProject(Path root) throws IOException {
        this.root = root;
        write("pom.xml", "<module>shop</module>");
        write("testbed/test-jvm.options", "-Xmx200m\n-XX:TieredStopAtLevel=1\n");
        write("docs/requirements.md", "R1 | orders are kept\nR2 | nobody tests this\n");
        build("shop");
    }

    /** As Maven leaves a module behind. */
    void build(String module) throws IOException {
        Files.createDirectories(root.resolve(module + "/src/test/java"));
        Files.createDirectories(root.resolve(module + "/target/test-classes"));
        write(module + "/target/test.classpath", System.getProperty("java.class.path"));
    }

    void compile(String module, String name, String... members) throws IOException {
        Path source = source(module, name);
        Files.createDirectories(source.getParent());
        Files.writeString(
                source,
                "package com.example; import org.junit.jupiter.api.*; class " + name + " {" + String.join("", members)
                        + "}",
                StandardCharsets.UTF_8);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        root.resolve(module + "/target/test-classes").toString(),
                        source.toString());
        assertThat(result).isZero();
    }

    /** Otherwise the order is nobody's business. */
    void runsFirst(String module, String name) throws IOException {
        write("testbed/test-times.tsv", module + " com.example." + name + "\t90000\n");
    }

    Path source(String module, String name) {
        return root.resolve(module + "/src/test/java/com/example").resolve(name + ".java");
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text, StandardCharsets.UTF_8);
    }

    String read(String file) throws IOException {
        return Files.readString(root.resolve(file), StandardCharsets.UTF_8);
    }

    boolean test(String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(root.toString(), "--build-seconds", "60"));
        arguments.addAll(List.of(options));
        printed.reset();
        return new Suite(Options.parse(arguments.toArray(String[]::new)), preparation, out()).run();
    }

    PrintStream out() {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    /** By the last run. */
    String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
