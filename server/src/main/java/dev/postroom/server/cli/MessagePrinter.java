package dev.postroom.server.cli;

import dev.postroom.admin.view.MessageDetailView;
import dev.postroom.admin.view.MessageDetailView.AttemptView;
import dev.postroom.server.text.Printable;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Prints one message for people: what matters at night first, the payload last. */
final class MessagePrinter {
    private final PrintWriter out;

    MessagePrinter(PrintWriter out) {
        this.out = out;
    }

    void print(MessageDetailView message) {
        field("id", message.id());
        field("status", message.status());
        message.whyNotSent().forEach(why -> field("why", why));
        field("topic", message.topic());
        field("key", message.key());
        field("tenant", message.tenant());
        field("type", message.type());
        field("attempts", message.attempts());
        field("reason", message.reason());
        field("created", Values.shown(message.createdAt()));
        field("due", Values.shown(message.availableAt()));
        field("processed", Values.shown(message.processedAt()));
        field("seq", message.seq() + " in lane " + message.lane());
        field("crashes", message.crashes() == 0 ? null : message.crashes());
        field("released", message.released() ? "goes on out of its stream's order" : null);
        field("completed", String.join(", ", message.completedDestinations()));
        field("source", message.source());
        field("content", content(message));
        message.headers().forEach((name, value) -> field("header", name + ": " + value));
        block("Last error", message.error());
        attempts(message);
        block("Payload", payload(message));
        out.flush();
    }

    private static String content(MessageDetailView message) {
        String encoding = message.contentEncoding() == null ? "" : ", " + message.contentEncoding();
        return message.contentType() + encoding + ", " + message.payloadBytes() + " bytes";
    }

    private static String payload(MessageDetailView message) {
        String text = message.payload() instanceof String string ? string : "(not text: --json shows it in base64)";
        return message.payloadIsWhole() ? text : text + "\n… (cut off: --payload-bytes shows more)";
    }

    private void attempts(MessageDetailView message) {
        if (!message.attemptsMade().isEmpty()) {
            out.println();
            out.println("Failed attempts:");
            for (AttemptView attempt : message.attemptsMade()) {
                String where = attempt.destination() == null ? "" : " at " + attempt.destination();
                out.println(Printable.line("  " + attempt.attempt() + "  " + Values.shown(attempt.at()) + where + "  "
                        + attempt.reason() + ": " + attempt.error()));
            }
        }
    }

    private void field(String name, @Nullable Object value) {
        String text = value == null ? "" : value.toString();
        if (!text.isEmpty()) {
            out.println(Printable.line((name + ":" + " ".repeat(11)).substring(0, 11) + text));
        }
    }

    private void block(String title, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            out.println();
            out.println(title + ":");
            out.println(Printable.block(text));
        }
    }
}
