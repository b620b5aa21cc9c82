package dev.postroom.server.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.Rfc6265CookieProcessor;

/** Writes the session's cookie: for nobody but this server, also where a proxy serves it beside others, under a prefix. */
final class CookiePaths extends Rfc6265CookieProcessor {
    CookiePaths() {
        setSameSiteCookies("strict");
    }

    @Override
    public String generateHeader(Cookie cookie, HttpServletRequest request) {
        cookie.setPath(ProxyValve.prefix(request) + cookie.getPath());
        return super.generateHeader(cookie, request);
    }
}
