package dev.postroom.server.web;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.authority.FactorGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClient;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.web.filter.OncePerRequestFilter;

/** What the tests' issuer is made of. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class IssuerConfiguration {

    @Bean
    SecurityFilterChain issuing(HttpSecurity http, Issuer issuer) throws Exception {
        return http.oauth2AuthorizationServer(server -> server.oidc(Customizer.withDefaults()))
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .oauth2ResourceServer(resources -> resources.jwt(Customizer.withDefaults()))
                .addFilterAfter(new SignedIn(issuer), SecurityContextHolderFilter.class)
                .build();
    }

    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> claims(Issuer issuer) {
        return context -> {
            context.getClaims().claim("preferred_username", issuer.user).claim("groups", List.copyOf(issuer.groups));
            issuer.twist.accept(context.getClaims());
        };
    }

    @Bean
    JWKSource<SecurityContext> keys() throws JOSEException {
        return new ImmutableJWKSet<>(
                new JWKSet(new RSAKeyGenerator(2048).keyID("key").generate()));
    }

    @Bean
    JwtDecoder ownTokens(JWKSource<SecurityContext> keys) {
        return NimbusJwtDecoder.withJwkSource(keys).build();
    }

    @Bean
    AuthorizationServerSettings settings() {
        return AuthorizationServerSettings.builder().build();
    }

    @Bean
    RegisteredClientRepository clients() {
        return new Clients();
    }

    @Bean
    UserDetailsService nobody() {
        return new InMemoryUserDetailsManager();
    }

    /** Takes whoever comes for the issuer's user; one who uses a browser has to agree on a page of the issuer's. */
    private static final class SignedIn extends OncePerRequestFilter {
        private final Issuer issuer;

        SignedIn(Issuer issuer) {
            this.issuer = issuer;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            if (!request.getRequestURI().endsWith("/authorize")) {
                chain.doFilter(request, response);
                return;
            }
            if (issuer.asks && request.getParameter("agreed") == null) {
                response.setContentType("text/html");
                String here = request.getQueryString().replace("&", "&amp;");
                response.getWriter().write("<a href='?" + here + "&amp;agreed=yes'>It is me</a>");
                return;
            }
            SecurityContextHolder.getContext()
                    .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                            issuer.user,
                            null,
                            List.of(FactorGrantedAuthority.fromAuthority(FactorGrantedAuthority.PASSWORD_AUTHORITY))));
            chain.doFilter(request, response);
        }
    }

    /** The one client, as it was registered last. */
    private static final class Clients implements RegisteredClientRepository {
        private volatile @Nullable RegisteredClient client;

        @Override
        public void save(RegisteredClient registered) {
            client = registered;
        }

        @Override
        public @Nullable RegisteredClient findById(String id) {
            return client;
        }

        @Override
        public @Nullable RegisteredClient findByClientId(String clientId) {
            return client;
        }
    }
}
