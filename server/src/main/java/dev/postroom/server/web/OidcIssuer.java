package dev.postroom.server.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.authentication.OidcIdTokenValidator;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * What the issuer says of itself: where to send people, where to ask, and by which keys it signs. It is asked when somebody wants
 * to sign in and not before, so that this server starts while the issuer is down. Thread-safe.
 */
final class OidcIssuer implements ClientRegistrationRepository {
    static final String ID = "oidc";
    static final String CALLBACK = "/sign-in/" + ID + "/callback";
    static final String UNAVAILABLE = "issuer_unavailable";

    private static final Logger LOG = LoggerFactory.getLogger(OidcIssuer.class);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private final OidcSettings settings;
    private final SimpleClientHttpRequestFactory requests = new SimpleClientHttpRequestFactory();
    private final RestTemplate http;
    private final Map<String, JwtDecoder> decoders = new ConcurrentHashMap<>();
    private volatile @Nullable ClientRegistration known;
    private volatile boolean complained;

    OidcIssuer(OidcSettings settings) {
        this.settings = settings;
        requests.setConnectTimeout(CONNECT_TIMEOUT);
        requests.setReadTimeout(READ_TIMEOUT);
        this.http = new RestTemplate(requests);
    }

    /** With a deadline, as for all that the issuer is asked. */
    RestTemplate http() {
        return http;
    }

    /** As Spring Security makes it for tokens, but with a deadline. */
    RestClient tokenClient() {
        return RestClient.builder()
                .requestFactory(requests)
                .configureMessageConverters(converters -> converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build();
    }

    @Override
    public @Nullable ClientRegistration findByRegistrationId(String id) {
        if (!id.equals(ID)) {
            return null;
        }
        ClientRegistration registration = known;
        if (registration == null) {
            registration = ask();
            known = registration;
        }
        return registration;
    }

    private ClientRegistration ask() {
        try {
            ClientRegistration registration = registration(description());
            complained = false;
            return registration;
        } catch (RuntimeException e) {
            if (!complained) {
                complained = true;
                LOG.warn(
                        "nobody can sign in by OIDC: the issuer {} cannot be asked: {}",
                        settings.issuer(),
                        e.toString());
            }
            throw new OAuth2AuthenticationException(new OAuth2Error(UNAVAILABLE), e);
        }
    }

    private Map<String, Object> description() {
        String address = settings.issuer().replaceFirst("/$", "") + "/.well-known/openid-configuration";
        Map<String, Object> description = RestClient.create(http)
                .get()
                .uri(address)
                .retrieve()
                .body(new ParameterizedTypeReference<Map<String, Object>>() {});
        if (description == null || !settings.issuer().equals(description.get("issuer"))) {
            throw new IllegalStateException(address + " describes another issuer ("
                    + (description == null ? "none" : description.get("issuer"))
                    + "): set postroom.admin.oidc.issuer to exactly what it says");
        }
        return description;
    }

    private ClientRegistration registration(Map<String, Object> description) {
        ClientRegistration.Builder builder = ClientRegistrations.fromOidcConfiguration(description)
                .registrationId(ID)
                .clientName(settings.shownName())
                .clientId(settings.clientId())
                .scope(settings.scopes())
                .userNameAttributeName("sub")
                .redirectUri("{baseUrl}" + CALLBACK);
        if (settings.clientSecret() == null) {
            builder.clientAuthenticationMethod(ClientAuthenticationMethod.NONE);
        } else {
            builder.clientSecret(settings.clientSecret());
        }
        return builder.build();
    }

    /** Checks signature, issuer, audience and time of a token; its nonce is checked by whoever asked for it. */
    JwtDecoder decoder(ClientRegistration registration) {
        return decoders.computeIfAbsent(registration.getRegistrationId(), id -> {
            String keys = Objects.requireNonNull(
                    registration.getProviderDetails().getJwkSetUri(), "the issuer names no keys (jwks_uri)");
            NimbusJwtDecoder decoder = NimbusJwtDecoder.withJwkSetUri(keys)
                    .restOperations(http)
                    .jwsAlgorithms(algorithms -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
                    .build();
            decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(
                    new JwtTimestampValidator(), new OidcIdTokenValidator(registration)));
            return decoder;
        });
    }
}
