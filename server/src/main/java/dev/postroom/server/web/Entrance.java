package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.server.settings.Section;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How people come in: through which proxies, vouched for by whom beside the users of the settings, over which protocol, and for how
 * long.
 *
 * @param proxyUsers null where no proxy signs people in
 * @param oidc null where no issuer does
 * @param tls null for http
 * @param sessionAge how long after its sign-in a session ends, whatever happens in it
 */
record Entrance(
        TrustedProxies proxies,
        @Nullable ProxyUsers proxyUsers,
        @Nullable OidcSettings oidc,
        @Nullable TlsSettings tls,
        Duration sessionAge) {
    private static final Duration USUAL_SESSION_AGE = Duration.ofHours(12);

    static final Entrance PLAIN = new Entrance(TrustedProxies.NONE, null, null, null, USUAL_SESSION_AGE);

    static Entrance from(Section admin) {
        TrustedProxies proxies = TrustedProxies.of(admin.key("trusted-proxies"), admin.words("trusted-proxies"));
        return new Entrance(
                proxies,
                ProxyUsers.from(admin, proxies).orElse(null),
                OidcSettings.from(admin).orElse(null),
                TlsSettings.from(admin.section("tls")).orElse(null),
                sessionAge(admin));
    }

    private static Duration sessionAge(Section admin) {
        Duration age = admin.duration("session-max-age").orElse(USUAL_SESSION_AGE);
        if (age.isNegative() || age.isZero()) {
            throw new PostroomException(admin.key("session-max-age") + " must be more than nothing (was "
                    + admin.text("session-max-age").orElse("")
                    + "), or nobody could stay signed in: raise it, or leave it out for 12h");
        }
        return age;
    }

    /** Whether others vouch for people, so that there need not be users in the settings. */
    boolean knowsPeople() {
        return proxyUsers != null || oidc != null;
    }
}
