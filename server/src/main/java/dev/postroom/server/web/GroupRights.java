package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.operations.Tenants;
import dev.postroom.server.settings.Section;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody else's groups may here. {@code *} stands for everybody who is signed in there.
 *
 * @param allTenants groups that are bound to no tenant, although tenants are told of people
 */
record GroupRights(List<String> viewers, List<String> operators, List<String> revealers, List<String> allTenants) {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRights.class);
    private static final String EVERYBODY = "*";

    /** @param tenantsFrom the setting that says where people's tenants are told, such as {@code tenants-claim} */
    static GroupRights from(Section section, String tenantsFrom) {
        GroupRights rights = new GroupRights(
                section.words("viewer-groups"),
                section.words("operator-groups"),
                section.words("reveal-groups"),
                section.words("all-tenants-groups"));
        if (rights.viewers.isEmpty() && rights.operators.isEmpty()) {
            throw new PostroomException(section.key("viewer-groups") + " and " + section.key("operator-groups")
                    + " are missing, so nobody could do anything: name the groups that may look and those that may change,"
                    + " or * for everybody who is signed in");
        }
        if (!rights.allTenants.isEmpty() && section.text(tenantsFrom).isEmpty()) {
            throw new PostroomException(
                    section.key("all-tenants-groups") + " is set without " + section.key(tenantsFrom)
                            + ", so nobody is bound to tenants and it means nothing: set both, or neither");
        }
        return rights;
    }

    /**
     * Who may look or change something is bound to the tenants that are told of them. Where tenants are told of people, somebody of
     * whom none is told may do nothing, unless a group of theirs is bound to none: a claim that is forgotten opens nothing.
     *
     * @param tenants null where nobody tells, and nobody is bound
     */
    Rights of(Collection<String> groups, @Nullable Collection<String> tenants) {
        Rights rights = Rights.of(role(groups)).revealing(isAmong(revealers, groups));
        if (rights.role() == Role.NONE) {
            return Rights.NONE;
        }
        if (tenants == null || isAmong(allTenants, groups)) {
            return rights;
        }
        List<String> named = new ArrayList<>(tenants);
        named.removeIf(String::isBlank);
        if (named.isEmpty()) {
            return Rights.NONE;
        }
        try {
            return rights.within(Tenants.of(named));
        } catch (PostroomException e) {
            LOG.warn("somebody who signed in elsewhere may do nothing here: {}", e.getMessage());
            return Rights.NONE;
        }
    }

    private Role role(Collection<String> groups) {
        if (isAmong(operators, groups)) {
            return Role.OPERATOR;
        }
        return isAmong(viewers, groups) ? Role.VIEWER : Role.NONE;
    }

    /** Whether somebody without any group may do something. */
    boolean needNoGroups() {
        return role(List.of()) != Role.NONE;
    }

    private static boolean isAmong(List<String> allowed, Collection<String> groups) {
        return allowed.contains(EVERYBODY) || groups.stream().anyMatch(allowed::contains);
    }
}
