package dev.postroom.admin;

import dev.postroom.admin.redact.RelayErrors;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.NodeItem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of messages what must not be seen by those who may not reveal it, before it leaves the process. Thread-safe.
 */
@FunctionalInterface
public interface Redaction {
    /** Shows everything. */
    Redaction NONE = message -> message;

    /** The message as it may be seen; the same object when nothing was taken out. */
    MessageDetail apply(MessageDetail message);

    /** An error text where its message is not at hand, as in a list. */
    default @Nullable String error(@Nullable String error) {
        return error;
    }

    /** What a relay tells about itself, with its errors as {@link #error} shows them. */
    default NodeItem relay(NodeItem node) {
        return new RelayErrors(text -> Objects.requireNonNullElse(error(text), "")).hide(node);
    }

    /** Whether error texts may quote what is hidden: then no search looks into them either. */
    default boolean hidesErrors() {
        return false;
    }
}
