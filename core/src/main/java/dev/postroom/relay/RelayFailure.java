package dev.postroom.relay;

import org.jspecify.annotations.Nullable;

/** A relay cannot go on as it is and has to begin anew: one of its own parts failed, which is a bug or a lack of memory. */
final class RelayFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RelayFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
