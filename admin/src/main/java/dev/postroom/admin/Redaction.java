package dev.postroom.admin;

import dev.postroom.admin.redact.RelayErrors;
import dev.postroom.operations.ErrorSearch;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.NodeItem;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of messages what must not be seen by those who may not reveal it, before it leaves the process. Thread-safe.
 */
@FunctionalInterface
public interface Redaction {
    /** Shows everything. */
    Redaction NONE = new Redaction() {
        @Override
        public MessageDetail apply(MessageDetail message) {
            return message;
        }

        @Override
        public ErrorSearch searchableErrors() {
            return ErrorSearch.ALL;
        }
    };

    /** The message as it may be seen; the same object when nothing was taken out. */
    MessageDetail apply(MessageDetail message);

    /** An error text where its message is not at hand, as in what a relay tells about itself. */
    default @Nullable String error(@Nullable String error) {
        return error;
    }

    /**
     * The error of a message of which only the headers are at hand, as in a list.
     *
     * @param headers null when nobody can tell: the message is gone by now, or has too many
     */
    default @Nullable String error(@Nullable String error, @Nullable Map<String, String> headers) {
        return error(error);
    }

    /** What a relay tells about itself, with its errors as {@link #error} shows them. */
    default NodeItem relay(NodeItem node) {
        return new RelayErrors(text -> Objects.requireNonNullElse(error(text), "")).hide(node);
    }

    /** Which error texts are searched for those who may not reveal: those that are shown as they are stored, and no others. */
    default ErrorSearch searchableErrors() {
        return ErrorSearch.NONE;
    }
}
