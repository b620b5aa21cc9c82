package dev.postroom.admin;

import jakarta.servlet.http.HttpServletRequest;

/** Says who asks and what they may do. Asked anew for every request. Thread-safe. */
@FunctionalInterface
public interface Access {
    Visitor visitor(HttpServletRequest request);
}
