package dev.postroom.server.web;

import java.time.Duration;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/** Checks passwords as long as this name's was not guessed too often from there; for sessions and for tools alike. */
record LimitedSignIn(AuthenticationManager checking, SignInLimit limit) implements AuthenticationManager {

    @Override
    public Authentication authenticate(Authentication given) {
        String address = address(given);
        Duration wait = limit.wait(address, given.getName());
        if (!wait.isZero()) {
            throw new TooManyTriesException(wait);
        }
        try {
            return checking.authenticate(given);
        } catch (AuthenticationException e) {
            limit.failed(address, given.getName());
            throw e;
        }
    }

    private static String address(Authentication given) {
        return given.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "unknown";
    }
}
