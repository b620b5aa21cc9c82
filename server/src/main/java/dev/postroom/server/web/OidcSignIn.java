package dev.postroom.server.web;

import dev.postroom.server.text.Printable;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserService;
import org.springframework.security.oauth2.client.userinfo.DefaultOAuth2UserService;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2LoginAuthenticationFilter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Sends people to the issuer and takes them back: {@code /sign-in/oidc} begins, {@code /sign-in/oidc/callback} ends with a session
 * of ours, which keeps a name and a role and none of the issuer's tokens. State, nonce, PKCE and the token's checks are Spring
 * Security's. Whatever goes wrong, the browser arrives at the page, which says so in words.
 */
final class OidcSignIn extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(OidcSignIn.class);
    private static final String BEGIN = "/sign-in/" + OidcIssuer.ID;
    /** Whoever signs in may wait for the issuer; the other threads are for everybody else, and for the probes. */
    private static final int MOST_AT_ONCE = 4;

    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_TEXT = 200;

    private final OidcSettings settings;
    private final OAuth2AuthorizationRequestRedirectFilter begin;
    private final OAuth2LoginAuthenticationFilter end;
    private final Semaphore turns = new Semaphore(MOST_AT_ONCE);

    OidcSignIn(OidcSettings settings, InstantSource clock) {
        this.settings = settings;
        OidcIssuer issuer = new OidcIssuer(settings);
        OidcCookie cookie = new OidcCookie(settings, clock);
        DefaultOAuth2AuthorizationRequestResolver resolver =
                new DefaultOAuth2AuthorizationRequestResolver(issuer, "/sign-in");
        resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        begin = new OAuth2AuthorizationRequestRedirectFilter(resolver);
        begin.setAuthorizationRequestRepository(cookie);
        begin.setAuthenticationFailureHandler(this::refuse);
        end = new OAuth2LoginAuthenticationFilter(issuer, new NoTokens(), OidcIssuer.CALLBACK);
        end.setAuthenticationManager(new ProviderManager(provider(issuer)));
        end.setAuthorizationRequestRepository(cookie);
        end.setAuthenticationSuccessHandler(this::welcome);
        end.setAuthenticationFailureHandler(this::refuse);
    }

    private static OidcAuthorizationCodeAuthenticationProvider provider(OidcIssuer issuer) {
        RestClientAuthorizationCodeTokenResponseClient tokens = new RestClientAuthorizationCodeTokenResponseClient();
        tokens.setRestClient(issuer.tokenClient());
        DefaultOAuth2UserService userInfo = new DefaultOAuth2UserService();
        userInfo.setRestOperations(issuer.http());
        OidcUserService users = new OidcUserService();
        users.setOauth2UserService(userInfo);
        OidcAuthorizationCodeAuthenticationProvider provider =
                new OidcAuthorizationCodeAuthenticationProvider(tokens, users);
        provider.setJwtDecoderFactory(issuer::decoder);
        return provider;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String path = request.getServletPath();
        if (!path.equals(BEGIN) && !path.equals(OidcIssuer.CALLBACK)) {
            chain.doFilter(request, response);
        } else if (!turns.tryAcquire()) {
            toPage(request, response, "?sign-in=busy");
        } else {
            try {
                begin.doFilter(request, response, (same, answer) -> end.doFilter(same, answer, chain));
            } finally {
                turns.release();
            }
        }
    }

    private void welcome(HttpServletRequest request, HttpServletResponse response, Authentication who) {
        Map<String, Object> claims = who.getPrincipal() instanceof OidcUser user ? user.getClaims() : Map.of();
        Optional<String> name = settings.name(claims).filter(text -> text.length() <= LONGEST_NAME);
        if (name.isEmpty()) {
            LOG.warn(
                    "nobody can be signed in by OIDC: the issuer's token has no usable claim '{}'",
                    settings.userClaim());
            toPage(request, response, "?sign-in=nameless");
            return;
        }
        SignIn.begin(request, Roles.signedIn(name.get(), settings.rights(claims)));
        toPage(request, response, "");
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, AuthenticationException e) {
        String code = code(e);
        String reason = switch (code) {
            case OidcIssuer.UNAVAILABLE, "invalid_token_response", "invalid_user_info_response" -> "issuer";
            case "authorization_request_not_found", "invalid_state_parameter", "invalid_request" -> "expired";
            case "access_denied" -> "denied";
            default -> "refused";
        };
        if (!reason.equals("expired") && !code.equals(OidcIssuer.UNAVAILABLE)) {
            LOG.warn("sign-in by OIDC failed: {}", shown(e));
        }
        toPage(request, response, "?sign-in=" + reason);
    }

    /** Of the error itself, or of what it was made from. */
    private static String code(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof OAuth2AuthenticationException known) {
                return known.getError().getErrorCode();
            }
        }
        return "unknown";
    }

    /** The issuer's words, or those of whoever came back in its name. */
    private static String shown(AuthenticationException e) {
        String text = Printable.line(String.valueOf(e.getMessage()));
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** By a way relative to here, whatever name and path a proxy has for it. */
    private static void toPage(HttpServletRequest request, HttpServletResponse response, String query) {
        Refusal.secure(response);
        response.setStatus(HttpServletResponse.SC_FOUND);
        boolean began = request.getServletPath().equals(BEGIN);
        response.setHeader("Location", (began ? "../" : "../../") + query);
    }
}
