package dev.postroom.server.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;

/** Keeps none of the issuer's tokens: once it has said who somebody is, they are of no use here. */
final class NoTokens implements OAuth2AuthorizedClientRepository {

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Spring Security declares it so
    public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
            String registration, Authentication who, HttpServletRequest request) {
        return null;
    }

    @Override
    public void saveAuthorizedClient(
            OAuth2AuthorizedClient client,
            Authentication who,
            HttpServletRequest request,
            HttpServletResponse response) {
        // none
    }

    @Override
    public void removeAuthorizedClient(
            String registration, Authentication who, HttpServletRequest request, HttpServletResponse response) {
        // none
    }
}
