package dev.postroom;

import org.jspecify.annotations.Nullable;

/** Anything that Postroom itself refuses or cannot do. The message says what happened and what to do about it. */
public class PostroomException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PostroomException(String message) {
        super(message);
    }

    public PostroomException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
