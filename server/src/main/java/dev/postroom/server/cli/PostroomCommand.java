package dev.postroom.server.cli;

import dev.postroom.server.output.Json;
import dev.postroom.server.output.Terminal;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** What all commands have. */
abstract class PostroomCommand implements Callable<Integer> {
    static final int SUCCESS = 0;
    static final int FAILURE = 1;

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Root root;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            order = 103,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    Root root() {
        return root;
    }

    Terminal terminal() {
        return root.terminal();
    }

    PrintWriter out() {
        return root.terminal().out();
    }

    /** Prints the document if JSON was asked for, else what is written for people. */
    void print(Object document, Runnable forPeople) {
        if (root.json()) {
            Json.print(out(), document);
        } else {
            forPeople.run();
            out().flush();
        }
    }

    /** A remark beside the answer, on standard error. */
    void remark(String text) {
        terminal().err().println(text);
        terminal().err().flush();
    }

    ParameterException wrongUsage(String problem) {
        return new ParameterException(spec.commandLine(), problem);
    }
}
