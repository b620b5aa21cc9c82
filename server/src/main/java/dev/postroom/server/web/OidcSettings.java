package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.admin.Rights;
import dev.postroom.server.settings.Section;
import java.net.URI;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect issuer that signs people in.
 *
 * @param clientSecret null for a client without one, which PKCE protects alone
 * @param userClaim null for {@code preferred_username}, or {@code sub} where there is none
 * @param groupsClaim a claim, or a way to one within others: {@code realm_access.roles}
 * @param tenantsClaim likewise, of the tenants that people are bound to; null where nobody is
 */
record OidcSettings(
        String issuer,
        String clientId,
        @Nullable String clientSecret,
        Set<String> scopes,
        @Nullable String userClaim,
        String groupsClaim,
        @Nullable String tenantsClaim,
        GroupRights groupRights) {

    static Optional<OidcSettings> from(Section admin) {
        if (admin.everythingBelow("oidc").isEmpty()) {
            return Optional.empty();
        }
        Section oidc = admin.section("oidc");
        String issuer = oidc.text("issuer").orElseThrow(() -> missing(oidc, "issuer"));
        checkIssuer(oidc.key("issuer"), issuer);
        Set<String> scopes = new LinkedHashSet<>(List.of("openid"));
        scopes.addAll(oidc.text("scopes").isPresent() ? oidc.words("scopes") : List.of("profile"));
        return Optional.of(new OidcSettings(
                issuer,
                oidc.text("client-id").orElseThrow(() -> missing(oidc, "client-id")),
                oidc.text("client-secret").orElse(null),
                scopes,
                oidc.text("user-claim").orElse(null),
                oidc.text("groups-claim").orElse("groups"),
                oidc.text("tenants-claim").orElse(null),
                GroupRights.from(oidc, "tenants-claim")));
    }

    private static PostroomException missing(Section oidc, String name) {
        return new PostroomException(oidc.key(name) + " is missing: sign-in by OIDC needs it");
    }

    private static void checkIssuer(String key, String text) {
        try {
            URI uri = URI.create(text);
            boolean own = LoopbackGuard.isLoopback(uri.getHost());
            boolean safe = "https".equals(uri.getScheme()) || (own && "http".equals(uri.getScheme()));
            if (uri.getHost() != null && safe) {
                return;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new PostroomException(key + " must be an https address (was '" + text
                + "'): over http anybody on the way could sign in as anybody");
    }

    /** As the button calls it. */
    String shownName() {
        return URI.create(issuer).getHost();
    }

    /** What the audit calls them; empty where the issuer does not say. */
    Optional<String> name(Map<String, Object> claims) {
        Optional<String> named = text(claims.get(userClaim == null ? "preferred_username" : userClaim));
        return userClaim == null ? named.or(() -> text(claims.get("sub"))) : named;
    }

    private static Optional<String> text(@Nullable Object claim) {
        return claim instanceof String text && !text.isBlank() ? Optional.of(text.strip()) : Optional.empty();
    }

    /** None for those of whom the issuer tells no group that may something here. */
    Rights rights(Map<String, Object> claims) {
        return groupRights.of(texts(claims, groupsClaim), tenantsClaim == null ? null : texts(claims, tenantsClaim));
    }

    private static List<String> texts(Map<String, Object> claims, String name) {
        Object found = claims.get(name);
        if (found == null) {
            found = claims;
            for (String step : name.split("\\.", -1)) {
                found = found instanceof Map<?, ?> map ? map.get(step) : null;
            }
        }
        if (found instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).toList();
        }
        return found instanceof String one ? List.of(one) : List.of();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return clientId + " at " + issuer;
    }
}
