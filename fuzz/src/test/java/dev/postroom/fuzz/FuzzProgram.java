package dev.postroom.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./postroom fuzz}: fuzzes one target or all of them, one after the other, for as long as it is asked to. */
public final class FuzzProgram {
    private static final int USAGE = 2;
    private static final int DEFAULT_SECONDS = 60;

    private final Path folder;
    private final PrintStream out;

    FuzzProgram(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** The folder for what is found, then the arguments of the command. */
    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(new FuzzProgram(Path.of(args[0]), out).run(List.of(args).subList(1, args.length)));
    }

    int run(List<String> args) throws IOException, InterruptedException {
        if (args.contains("--help") || args.contains("-h")) {
            help();
            return 0;
        }
        try {
            FuzzOptions options = FuzzOptions.of(args);
            return options.input() == null ? fuzz(options) : replay(options);
        } catch (IllegalArgumentException e) {
            out.println("postroom: " + e.getMessage() + "; see ./postroom fuzz --help");
            return USAGE;
        }
    }

    private void help() {
        out.println("Usage: postroom fuzz [TARGET] [--seconds N | --runs N | --input FILE]");
        out.println();
        out.println("Tries odd inputs, guided by which code they reach, until one fails or the time is over.");
        out.println();
        for (Target target : Target.values()) {
            out.printf("  %-12s %s%n", target.label(), target.about());
        }
        out.println();
        out.println("  --seconds N  for so long, each target (default: " + DEFAULT_SECONDS + ")");
        out.println("  --runs N     so many inputs, each target");
        out.println("  --input FILE only this one, such as a finding, without fuzzing");
        out.println();
        out.println("Without a target, all of them. What was found is a file under " + folder + ",");
        out.println(
                "where the inputs that reached something new stay for the next time. Exits with 1 if anything was found.");
    }

    private int fuzz(FuzzOptions options) throws IOException, InterruptedException {
        List<Target> failed = new ArrayList<>();
        for (Target target : options.targets()) {
            if (!isClean(target, options)) {
                failed.add(target);
            }
        }
        out.println(failed.isEmpty() ? "Nothing was found." : "FAILED: " + labels(failed) + ", see above.");
        return failed.isEmpty() ? 0 : 1;
    }

    private boolean isClean(Target target, FuzzOptions options) throws IOException, InterruptedException {
        out.println("Fuzzing " + target.label() + ": " + target.about());
        Path own = Files.createDirectories(folder.resolve(target.label()));
        Campaign.Outcome outcome =
                new Campaign(own).run(target, List.of(options.limit(DEFAULT_SECONDS)), new Progress(out)::line);
        outcome.tried().forEach(line -> out.println("  " + line));
        for (Path finding : outcome.findings()) {
            out.println("  FOUND, with the input " + finding);
            out.println("    again:   ./postroom fuzz " + target.label() + " --input " + finding);
            out.println("    to keep: repair it, and add that file to the seeds in fuzz/src/test/resources");
        }
        if (outcome.exit() != 0 && outcome.findings().isEmpty()) {
            out.println("  ended without a finding before its time was over");
        }
        out.println("  exit code " + outcome.exit() + ", all that Jazzer said is in " + outcome.log());
        return outcome.exit() == 0 && outcome.findings().isEmpty();
    }

    private int replay(FuzzOptions options) throws IOException {
        Target target = options.targets().get(0);
        byte[] input = Files.readAllBytes(options.requiredInput());
        try {
            target.replay(input);
            out.println("Nothing was found with this input.");
            return 0;
        } catch (RuntimeException | Error e) {
            e.printStackTrace(out);
            return 1;
        }
    }

    private static String labels(List<Target> targets) {
        return String.join(", ", targets.stream().map(Target::label).toList());
    }
}
