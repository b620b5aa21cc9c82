package dev.postroom.server.cli;

import dev.postroom.PostroomException;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Pause;
import dev.postroom.server.text.Nearest;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** What to pause or to resume: everything, a destination or a topic. */
final class PauseOptions {
    @ArgGroup
    private @Nullable What what;

    static final class What {
        @Option(
                names = "--destination",
                required = true,
                paramLabel = "NAME",
                order = 1,
                description = "Only this destination; default: everything.")
        private @Nullable String destination;

        @Option(
                names = "--topic",
                required = true,
                paramLabel = "TOPIC",
                order = 2,
                description = "Only this topic; default: everything.")
        private @Nullable String topic;
    }

    Pause.Target target() {
        return what == null ? Pause.Target.EVERYTHING : new Pause.Target(what.destination, what.topic);
    }

    static String describe(Pause.Target target) {
        if (target.destination() != null) {
            return "Destination '" + target.destination() + "'";
        }
        return target.topic() == null ? "Everything" : "Topic '" + target.topic() + "'";
    }

    /** A pause may be meant for a destination that is still to come, so an unknown name is no error; but it is probably a slip. */
    static void remarkIfUnknown(String destination, Operations operations, PostroomCommand command) {
        String unknown = unknown(destination, operations, command);
        if (unknown != null) {
            command.remark("postroom: " + unknown);
        }
    }

    /** What is sent again to a destination that nobody has waits for good. */
    static void refuseUnknown(String destination, Operations operations, PostroomCommand command) {
        String unknown = unknown(destination, operations, command);
        if (unknown != null) {
            throw new PostroomException(unknown);
        }
    }

    /** Null when these settings or some relay know it. */
    private static @Nullable String unknown(String destination, Operations operations, PostroomCommand command) {
        Set<String> known = new TreeSet<>(
                command.root().installation().settings().destinations().keySet());
        operations.destinations().stream().map(DestinationItem::name).forEach(known::add);
        return known.contains(destination)
                ? null
                : "no relay has used a destination named '" + destination + "' yet" + Nearest.hint(destination, known);
    }
}
