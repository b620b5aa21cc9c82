package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

/** What an issuer says of itself is believed only where it says it of itself. */
@Tag("R55")
class OidcIssuerTest {
    private HttpServer server;
    private String url;
    private String described;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://localhost:" + server.getAddress().getPort();
        server.createContext("/.well-known/openid-configuration", exchange -> {
            byte[] body = """
                    {"issuer":"%s","authorization_endpoint":"%s/authorize","token_endpoint":"%s/token","jwks_uri":"%s/keys",
                     "response_types_supported":["code"],"subject_types_supported":["public"],
                     "id_token_signing_alg_values_supported":["RS256"]}
                    """.formatted(described, url, url, url).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void description_of_another_issuer_is_refused_and_asked_for_again() {
        OidcIssuer issuer = new OidcIssuer(Issuer.settings(url));
        described = "https://another.example";
        assertThatThrownBy(() -> issuer.findByRegistrationId(OidcIssuer.ID))
                .isInstanceOf(OAuth2AuthenticationException.class)
                .hasStackTraceContaining("describes another issuer (https://another.example)");

        described = url;
        assertThat(issuer.findByRegistrationId(OidcIssuer.ID)).isNotNull();
    }
}
