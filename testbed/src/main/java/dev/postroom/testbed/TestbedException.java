package dev.postroom.testbed;

import org.jspecify.annotations.Nullable;

/** A server could not be started or used; the message says what is missing and what to do. */
public final class TestbedException extends RuntimeException {

    TestbedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
