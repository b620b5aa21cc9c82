package dev.postroom.server.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.ClientAuthenticationMethod;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.ClientSettings;

/**
 * A real authorization server, Spring's, to sign in at. Whoever comes is taken for {@link #user}, without being asked. It is at
 * {@code localhost} while Postroom is at {@code 127.0.0.1}: to a browser these are two sites.
 */
final class Issuer implements AutoCloseable {
    static final String CLIENT = "postroom";
    static final String SECRET = "s3cret";

    private final ConfigurableApplicationContext context;

    volatile String user = "vera";
    /** Whether it shows a page of its own first, as one does that wants a password. */
    volatile boolean asks;

    volatile List<String> groups = List.of("staff");
    /** What it does to a token before it is signed. */
    volatile Consumer<JwtClaimsSet.Builder> twist = claims -> {};

    /** @param port 0 for any free one */
    Issuer(int port) {
        context = new SpringApplicationBuilder(IssuerConfiguration.class)
                .environment(new OwnEnvironment())
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .initializers((ApplicationContextInitializer<GenericApplicationContext>) starting ->
                        starting.registerBean(Issuer.class, () -> this, bean -> bean.setDestroyMethodName("")))
                .run("--server.port=" + port, "--server.address=127.0.0.1", "--spring.jmx.enabled=false");
    }

    String url() {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    OidcSettings settings() {
        return settings(url());
    }

    static OidcSettings settings(String url) {
        return new OidcSettings(
                url,
                CLIENT,
                SECRET,
                Set.of("openid", "profile"),
                null,
                "groups",
                "tenants",
                new GroupRights(
                        List.of("staff"), List.of("ops", "acme-ops"), List.of("auditors"), List.of("staff", "ops")));
    }

    /** Lets a server send people here, and have them back. */
    void register(WebServer server) {
        context.getBean(RegisteredClientRepository.class)
                .save(RegisteredClient.withId(UUID.nameUUIDFromBytes(CLIENT.getBytes(StandardCharsets.UTF_8))
                                .toString())
                        .clientId(CLIENT)
                        .clientSecret("{noop}" + SECRET)
                        .clientAuthenticationMethod(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
                        .redirectUri(server.url() + "sign-in/oidc/callback")
                        .scope("openid")
                        .scope("profile")
                        .clientSettings(
                                ClientSettings.builder().requireProofKey(true).build())
                        .build());
    }

    @Override
    public void close() {
        context.close();
    }
}
