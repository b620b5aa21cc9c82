package dev.postroom.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command's arguments. */
record FuzzOptions(
        List<Target> targets,
        @Nullable Integer seconds,
        @Nullable Integer runs,
        @Nullable Path input) {

    /** @throws IllegalArgumentException when they are wrong */
    static FuzzOptions of(List<String> args) {
        List<Target> targets = new ArrayList<>();
        Integer seconds = null;
        Integer runs = null;
        Path input = null;
        for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
            String argument = rest.next();
            switch (argument) {
                case "--seconds" -> seconds = number(argument, rest);
                case "--runs" -> runs = number(argument, rest);
                case "--input" -> input = Path.of(value(argument, rest));
                default -> targets.add(Target.of(argument));
            }
        }
        if (seconds != null && runs != null) {
            throw new IllegalArgumentException("--seconds and --runs are two limits: give one");
        }
        if (input != null && targets.size() != 1) {
            throw new IllegalArgumentException("--input needs the target that it is for");
        }
        return new FuzzOptions(targets.isEmpty() ? List.of(Target.values()) : targets, seconds, runs, input);
    }

    private static int number(String option, Iterator<String> rest) {
        String text = value(option, rest);
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(option + " must be a number from 1 (was '" + text + "')");
        }
        return Integer.parseInt(text);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }

    /** As an option of libFuzzer. */
    String limit(int defaultSeconds) {
        if (runs != null) {
            return "-runs=" + runs;
        }
        return "-max_total_time=" + (seconds == null ? defaultSeconds : seconds);
    }

    Path requiredInput() {
        if (input == null) {
            throw new IllegalStateException("asked for only when it was given");
        }
        return input;
    }
}
