package dev.postroom.testbed.suite;

import dev.postroom.testbed.suite.TestResult.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which tests hold each requirement of {@code docs/requirements.md}, and which requirement has none. */
final class Requirements {

    private static final Pattern TITLE = Pattern.compile("(R\\d+) \\| (.*)");
    private static final int NAMED = 3;

    private final Map<String, String> titles = new LinkedHashMap<>();
    private final Map<String, List<TestResult>> tests = new LinkedHashMap<>();

    private Requirements() {}

    static Requirements of(Path root, List<ClassRun> runs) throws IOException {
        Requirements requirements = new Requirements();
        for (String line : Files.readAllLines(root.resolve("docs/requirements.md"), StandardCharsets.UTF_8)) {
            Matcher title = TITLE.matcher(line);
            if (title.matches()) {
                requirements.titles.put(title.group(1), title.group(2));
            }
        }
        for (ClassRun run : runs) {
            for (TestResult result : run.results()) {
                if (result.outcome() == Outcome.SKIPPED) {
                    continue; // it shows nothing
                }
                for (String tag : result.requirements()) {
                    requirements.titles.putIfAbsent(tag, "");
                    requirements
                            .tests
                            .computeIfAbsent(tag, key -> new ArrayList<>())
                            .add(result);
                }
            }
        }
        return requirements;
    }

    void print(PrintStream out) {
        if (tests.isEmpty()) {
            return;
        }
        out.printf("%n%-69s tests failed%n", "Requirement");
        titles.forEach((tag, title) -> {
            if (tests.containsKey(tag)) {
                print(tag, title, tests.get(tag), out);
            }
        });
        String none =
                titles.keySet().stream().filter(tag -> !tests.containsKey(tag)).collect(Collectors.joining(" "));
        if (!none.isEmpty()) {
            out.printf("%nNo test in this run: %s%n", none);
        }
    }

    private static void print(String tag, String title, List<TestResult> results, PrintStream out) {
        Set<String> names =
                results.stream().map(TestResult::title).collect(Collectors.toCollection(LinkedHashSet::new));
        Set<String> failed = results.stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .map(TestResult::title)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        out.printf(Locale.ROOT, "%-4s %-64s %6d %6d%n", tag, title, names.size(), failed.size());
        out.printf(
                "        %s%s%n",
                names.stream().limit(NAMED).collect(Collectors.joining(", ")), names.size() > NAMED ? ", …" : "");
        failed.forEach(name -> out.printf("        FAILED %s%n", name));
    }
}
