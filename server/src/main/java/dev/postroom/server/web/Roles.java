package dev.postroom.server.web;

import dev.postroom.admin.ApplicationAccess;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.operations.Tenants;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * Rights as Spring Security's authorities, and back. Seeing all tenants is an authority of its own: whoever signs somebody
 * in another way and forgets it has opened nothing.
 */
final class Roles {
    /** Of those who are bound to no tenant. */
    static final String ALL_TENANTS = "POSTROOM_ALL_TENANTS";

    private static final String ROLE = "ROLE_";
    private static final String TENANT = "POSTROOM_TENANT:";

    private Roles() {}

    /** None for those who may do nothing. */
    static List<GrantedAuthority> of(Rights rights) {
        if (rights.role() == Role.NONE) {
            return List.of();
        }
        List<GrantedAuthority> all = new ArrayList<>();
        all.add(role(of(rights.role())));
        if (rights.mayReveal()) {
            all.add(role(ApplicationAccess.REVEAL_ROLE));
        }
        List<String> tenants = rights.tenants().names();
        if (tenants == null) {
            all.add(role(ALL_TENANTS));
        } else {
            tenants.forEach(tenant -> all.add(new SimpleGrantedAuthority(TENANT + tenant)));
        }
        return all;
    }

    static String of(Role role) {
        return role == Role.OPERATOR ? ApplicationAccess.OPERATOR_ROLE : ApplicationAccess.VIEWER_ROLE;
    }

    private static GrantedAuthority role(String name) {
        return new SimpleGrantedAuthority(ROLE + name);
    }

    /** Bound to none only with the authority that says so; who has neither that nor a tenant may do nothing. */
    static Rights bound(Rights rights, Collection<? extends GrantedAuthority> authorities) {
        List<String> tenants = new ArrayList<>();
        for (GrantedAuthority authority : authorities) {
            String name = String.valueOf(authority.getAuthority());
            if (name.equals(ROLE + ALL_TENANTS)) {
                return rights.within(Tenants.ALL);
            }
            if (name.startsWith(TENANT)) {
                tenants.add(name.substring(TENANT.length()));
            }
        }
        return tenants.isEmpty() ? Rights.NONE : rights.within(Tenants.of(tenants));
    }

    /** Somebody whom somebody else vouches for; known, even if they may do nothing. */
    static Authentication signedIn(String name, Rights rights) {
        return UsernamePasswordAuthenticationToken.authenticated(name, null, of(rights));
    }
}
