package dev.postroom;

import org.jspecify.annotations.Nullable;

/** The tables are missing, older or newer than this version of Postroom can work with. */
public final class SchemaException extends PostroomException {
    private static final long serialVersionUID = 1L;

    public SchemaException(String message) {
        super(message);
    }

    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
