package dev.postroom;

import org.jspecify.annotations.Nullable;

/** A message that breaks a limit or cannot be encoded. Nothing was written for it. */
public final class MessageRejectedException extends PostroomException {
    private static final long serialVersionUID = 1L;

    public MessageRejectedException(String message) {
        super(message);
    }

    public MessageRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
