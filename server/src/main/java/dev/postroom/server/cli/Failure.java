package dev.postroom.server.cli;

import dev.postroom.PostroomException;
import dev.postroom.server.text.Printable;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Says what failed in one line, or with {@code --verbose} also where; exit code 1. */
final class Failure implements IExecutionExceptionHandler {
    private final Root root;

    Failure(Root root) {
        this.root = root;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println("postroom: " + Printable.block(text(e)));
        if (root.verbose()) {
            e.printStackTrace(err);
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    private static String text(Exception e) {
        return e instanceof PostroomException
                ? String.valueOf(e.getMessage())
                : "unexpected failure, please report it with the output of --verbose: " + e;
    }
}
