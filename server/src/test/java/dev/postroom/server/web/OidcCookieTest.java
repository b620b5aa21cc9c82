package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/** What the browser keeps while somebody is at the issuer. */
@Tag("R55")
class OidcCookieTest {
    private final OidcSettings settings = Issuer.settings("https://issuer.example");
    private final List<String> written = new ArrayList<>();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final OidcCookie cookies = new OidcCookie(settings, () -> now);

    @Test
    void is_worth_nothing_when_its_time_is_over() {
        HttpServletRequest request = after(cookies);
        now = now.plus(OidcCookie.TIME_TO_SIGN_IN);
        assertThat(cookies.loadAuthorizationRequest(request)).isNotNull().satisfies(asked -> {
            assertThat(asked.getState()).isEqualTo("s1");
            assertThat(asked.getAttributes()).containsEntry("nonce", "n1");
        });
        now = now.plusMillis(1);
        assertThat(cookies.loadAuthorizationRequest(request)).isNull();
    }

    @Test
    void is_read_only_by_the_process_that_made_it() {
        HttpServletRequest request = after(cookies);
        assertThat(new OidcCookie(settings, () -> now).loadAuthorizationRequest(request))
                .isNull();
        assertThat(cookies.loadAuthorizationRequest(request("made up"))).isNull();
    }

    /** The request of a browser that was sent to the issuer before. */
    private HttpServletRequest after(OidcCookie made) {
        OAuth2AuthorizationRequest asked = OAuth2AuthorizationRequest.authorizationCode()
                .authorizationUri("https://issuer.example/authorize")
                .clientId(Issuer.CLIENT)
                .redirectUri("https://postroom.example/sign-in/oidc/callback")
                .state("s1")
                .attributes(attributes -> attributes.put("nonce", "n1"))
                .build();
        made.saveAuthorizationRequest(asked, request(""), response());
        String header = written.get(written.size() - 1);
        return request(header.substring(header.indexOf('=') + 1, header.indexOf(';')));
    }

    private static HttpServletRequest request(String cookie) {
        return (HttpServletRequest) Proxy.newProxyInstance(
                OidcCookieTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getCookies" -> new Cookie[] {new Cookie(OidcCookie.NAME, cookie)};
                    case "isSecure" -> true;
                    case "getAttribute" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private HttpServletResponse response() {
        return (HttpServletResponse) Proxy.newProxyInstance(
                OidcCookieTest.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, args) -> {
                    if (!method.getName().equals("addHeader")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    written.add(String.valueOf(args[1]));
                    return null;
                });
    }
}
