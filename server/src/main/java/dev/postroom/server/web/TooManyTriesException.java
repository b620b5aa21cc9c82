package dev.postroom.server.web;

import java.time.Duration;
import org.springframework.security.core.AuthenticationException;

/** Nobody looked at the password: there were too many wrong ones. */
final class TooManyTriesException extends AuthenticationException {
    private static final long serialVersionUID = 1L;

    private final long seconds;

    TooManyTriesException(Duration wait) {
        super("too many wrong passwords for this name");
        this.seconds = wait.toSeconds() + 1;
    }

    long seconds() {
        return seconds;
    }
}
