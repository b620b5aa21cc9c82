package dev.postroom.server.cli;

import dev.postroom.PostroomException;
import dev.postroom.admin.Redaction;
import dev.postroom.admin.view.MessageDetailView;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.Operations;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows one message, and why it has not been sent yet.",
        footer = {"", "Example:", "  postroom show 01961f3e-9c1a-7c33-b0c5-0d8f8f7e7a11"})
final class ShowCommand extends PostroomCommand {
    @Parameters(paramLabel = "ID", description = "The message's id.")
    @SuppressWarnings("NullAway.Init") // picocli requires and sets it before call()
    private UUID id;

    @Option(
            names = "--payload-bytes",
            paramLabel = "N",
            order = 1,
            defaultValue = "" + Operations.DEFAULT_PAYLOAD_BYTES,
            description = "So much of the payload at most; default: ${DEFAULT-VALUE}.")
    private int payloadBytes;

    @Option(names = "--reveal", order = 2, description = "Show what is redacted, too; written to the audit.")
    private boolean reveal;

    @Option(names = "--reason", paramLabel = "TEXT", order = 3, description = "Why it is revealed, for the audit.")
    private @Nullable String reason;

    @Override
    public Integer call() {
        Operations operations =
                root().installation().operations(root().surroundings().user());
        MessageDetail detail = (reveal
                        ? operations.reveal(id, payloadBytes, reason)
                        : operations.find(id, payloadBytes))
                .orElseThrow(() -> new PostroomException(
                        "there is no message " + id + ": it was never written, or delivered and purged since"));
        Redaction redaction =
                reveal ? Redaction.NONE : root().installation().settings().redaction();
        MessageDetailView view = MessageDetailView.of(detail, redaction.apply(detail), payloadBytes);
        print(view, () -> new MessagePrinter(out()).print(view));
        if (view.redacted()) {
            remark("Some of it is redacted (postroom.redact): --reveal shows it, and is written to the audit.");
        }
        return SUCCESS;
    }
}
