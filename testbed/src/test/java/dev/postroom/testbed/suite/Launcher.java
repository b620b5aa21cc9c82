package dev.postroom.testbed.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The script {@code postroom} in a project of its own, whose Maven and Java write down their arguments, a line for each call. */
final class Launcher {

    final Path root;
    final Path jdk;

    private final List<String> modules = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Map<Process, Path> printed = new HashMap<>();
    private Path lastPrinted;

    Launcher(Path root) throws IOException {
        this.root = Files.createDirectories(root);
        this.jdk = root.resolve("jdk");
        this.lastPrinted = root.resolve("printed-0");
        Files.copy(
                Path.of(System.getProperty("basedir", "."), "../postroom"),
                root.resolve("postroom"),
                StandardCopyOption.COPY_ATTRIBUTES);
        write("jdk/release", "JAVA_VERSION=\"17.0.1\"\n");
        javaRuns("");
        mavenRuns("");
        setVariable("JAVA_HOME", jdk.toString());
        setVariable("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
    }

    void addModule(String name, String testClass) throws IOException {
        addModuleWithoutTests(name);
        write(name + "/src/test/java/com/example/" + testClass + ".java", "");
    }

    void addModuleWithoutTests(String name) throws IOException {
        modules.add(name);
        StringBuilder pom = new StringBuilder();
        modules.forEach(module -> pom.append("<module>").append(module).append("</module>\n"));
        write("pom.xml", pom.toString());
    }

    /** Before it leaves what a build leaves: of each module its class path, and the jars that commands run. */
    void mavenRuns(String script) throws IOException {
        writeProgram("bin/mvn", "maven", script + """

                for folder in testbed shop transports/kafka; do
                  mkdir -p $folder/target/test-classes
                  touch testbed/target/testbed.jar
                  printf '%s' "$PWD/testbed/target/testbed.jar" > $folder/target/test.classpath
                done
                for module in server benchmark; do
                  mkdir -p $module/target
                  touch $module/target/postroom-$module.jar
                done
                """);
    }

    void javaRuns(String script) throws IOException {
        writeProgram("jdk/bin/java", "java", script);
    }

    private void writeProgram(String file, String name, String script) throws IOException {
        write(file, "#!/bin/sh\ncd '" + root + "' || exit 9\necho \"$*\" >> " + name + ".calls\n" + script + "\n");
        assertThat(root.resolve(file).toFile().setExecutable(true)).isTrue();
    }

    void setVariable(String name, String value) {
        variables.put(name, value);
    }

    int run(String... arguments) throws Exception {
        return exitCode(start(arguments));
    }

    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(root.resolve("postroom").toString()));
        command.addAll(List.of(arguments));
        lastPrinted = root.resolve("printed-" + (printed.size() + 1));
        ProcessBuilder program =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(lastPrinted.toFile());
        program.environment().putAll(variables);
        Process process = program.start();
        printed.put(process, lastPrinted);
        return process;
    }

    static int exitCode(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** By the last one that was started. */
    String printed() throws IOException {
        return Files.readString(lastPrinted, StandardCharsets.UTF_8);
    }

    String printed(Process process) throws IOException {
        return Files.readString(printed.get(process), StandardCharsets.UTF_8);
    }

    String maven() throws IOException {
        return calls("maven.calls");
    }

    String java() throws IOException {
        return calls("java.calls");
    }

    private String calls(String file) throws IOException {
        Path calls = root.resolve(file);
        return Files.exists(calls) ? Files.readString(calls, StandardCharsets.UTF_8) : "";
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text, StandardCharsets.UTF_8);
    }

    /** As if they had been changed since the last build: that was an hour ago then. */
    void makeSourcesNewer() throws IOException {
        try (DirectoryStream<Path> stamps = Files.newDirectoryStream(root.resolve("target/launcher"))) {
            for (Path stamp : stamps) {
                Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
            }
        }
    }

    void delete(String file) throws IOException {
        Files.delete(root.resolve(file));
    }
}
