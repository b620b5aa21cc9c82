package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.server.settings.Section;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Users whom a trusted proxy has signed in already.
 *
 * @param userHeader where it says who
 * @param groupsHeader where it says in which groups, separated by commas
 * @param tenantsHeader where it says to which tenants they are bound, separated by commas; null where nobody is
 */
record ProxyUsers(
        String userHeader,
        @Nullable String groupsHeader,
        @Nullable String tenantsHeader,
        GroupRights rights) {
    private static final String[] NEED_USERS = {
        "proxy-groups-header",
        "proxy-tenants-header",
        "viewer-groups",
        "operator-groups",
        "reveal-groups",
        "all-tenants-groups"
    };

    /** Fails where anybody could call himself what he likes. */
    static Optional<ProxyUsers> from(Section admin, TrustedProxies proxies) {
        Optional<String> userHeader = admin.text("proxy-user-header");
        if (userHeader.isEmpty()) {
            for (String name : NEED_USERS) {
                if (admin.text(name).isPresent()) {
                    throw new PostroomException(admin.key(name) + " is for users whom a proxy names: set "
                            + admin.key("proxy-user-header") + " too, or remove it");
                }
            }
            return Optional.empty();
        }
        if (proxies.isEmpty()) {
            throw new PostroomException(admin.key("proxy-user-header") + " is '" + userHeader.get()
                    + "', which anybody could send: name the proxies that may in " + admin.key("trusted-proxies"));
        }
        GroupRights rights = GroupRights.from(admin, "proxy-tenants-header");
        Optional<String> groupsHeader = admin.text("proxy-groups-header");
        if (groupsHeader.isEmpty() && !rights.needNoGroups()) {
            throw new PostroomException(admin.key("proxy-groups-header")
                    + " is missing, so nobody would be in a group: name the header, or use * as a group");
        }
        return Optional.of(new ProxyUsers(
                userHeader.get(),
                groupsHeader.orElse(null),
                admin.text("proxy-tenants-header").orElse(null),
                rights));
    }
}
