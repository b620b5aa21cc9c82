package dev.postroom.server.web;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.admin.view.ViewJson;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;
import org.springframework.security.oauth2.client.web.AuthorizationRequestRepository;
import org.springframework.security.oauth2.core.endpoint.OAuth2AuthorizationRequest;

/**
 * What must be remembered while somebody is at the issuer: state, nonce and PKCE's secret. Not in the session, whose cookie is
 * {@code SameSite=Strict} and so does not come along when the issuer sends the browser back; this one is {@code Lax}, goes to
 * these paths only, and ends after a few minutes. It carries everything itself, encrypted by a key that this process made, so
 * strangers who begin to sign in take no memory.
 */
final class OidcCookie implements AuthorizationRequestRepository<OAuth2AuthorizationRequest> {
    static final String NAME = "POSTROOM_OIDC";
    static final Duration TIME_TO_SIGN_IN = Duration.ofMinutes(10);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/sign-in/" + OidcIssuer.ID;
    private static final String STATE = "state";
    private static final String REDIRECT = "redirect";
    private static final String UNTIL = "until";
    private static final int KEY_BYTES = 32;

    private final OidcSettings settings;
    private final InstantSource clock;
    private final BytesEncryptor encryptor;

    OidcCookie(OidcSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        this.encryptor = AesGcmBytesEncryptor.withSecretKey(new SecretKeySpec(key, "AES"))
                .build();
    }

    @Override
    public void saveAuthorizationRequest(
            @Nullable OAuth2AuthorizationRequest asked, HttpServletRequest request, HttpServletResponse response) {
        if (asked == null) {
            write("", Duration.ZERO, request, response);
            return;
        }
        Map<String, Object> remembered = new HashMap<>(asked.getAttributes());
        remembered.put(STATE, asked.getState());
        remembered.put(REDIRECT, asked.getRedirectUri());
        remembered.put(UNTIL, clock.instant().plus(TIME_TO_SIGN_IN).toEpochMilli());
        byte[] secret = encryptor.encrypt(ViewJson.bytes(remembered));
        write(Base64.getUrlEncoder().withoutPadding().encodeToString(secret), TIME_TO_SIGN_IN, request, response);
    }

    private static void write(String value, Duration age, HttpServletRequest request, HttpServletResponse response) {
        ResponseCookie cookie = ResponseCookie.from(NAME, value)
                .path(ProxyValve.prefix(request) + PATH)
                .maxAge(age)
                .httpOnly(true)
                .secure(request.isSecure())
                .sameSite("Lax")
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    /** Null where this browser did not begin here, or too long ago. */
    @Override
    public @Nullable OAuth2AuthorizationRequest loadAuthorizationRequest(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
            if (cookie.getName().equals(NAME)) {
                return read(cookie.getValue());
            }
        }
        return null;
    }

    private @Nullable OAuth2AuthorizationRequest read(String value) {
        try {
            Map<String, Object> remembered = JSON.readValue(
                    encryptor.decrypt(Base64.getUrlDecoder().decode(value)),
                    new TypeReference<Map<String, Object>>() {});
            Object until = remembered.remove(UNTIL);
            if (!(until instanceof Long last) || clock.millis() > last) {
                return null;
            }
            String state = String.valueOf(remembered.remove(STATE));
            String redirect = String.valueOf(remembered.remove(REDIRECT));
            return OAuth2AuthorizationRequest.authorizationCode()
                    .authorizationUri(settings.issuer())
                    .clientId(settings.clientId())
                    .scopes(settings.scopes())
                    .redirectUri(redirect)
                    .state(state)
                    .attributes(remembered)
                    .build();
        } catch (IOException | RuntimeException e) {
            // made up, or encrypted by a process that is gone
            return null;
        }
    }

    @Override
    public @Nullable OAuth2AuthorizationRequest removeAuthorizationRequest(
            HttpServletRequest request, HttpServletResponse response) {
        OAuth2AuthorizationRequest asked = loadAuthorizationRequest(request);
        write("", Duration.ZERO, request, response);
        return asked;
    }
}
