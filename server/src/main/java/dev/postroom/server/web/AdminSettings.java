package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.admin.Admin;
import dev.postroom.admin.Redaction;
import dev.postroom.admin.RedactionRules;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.Tenants;
import dev.postroom.server.settings.Section;
import dev.postroom.server.settings.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Where the admin surface is and who may use it.
 *
 * @param address an address of this machine
 * @param port 0 for any free one
 * @param users none on loopback: open to whoever is on this machine
 * @param localName what the audit calls those
 * @param redaction what is hidden from those who may not reveal it
 * @param entrance through which proxies, and by whose word beside the users' passwords
 */
public record AdminSettings(
        InetAddress address,
        int port,
        List<AdminUser> users,
        String localName,
        Duration statementTimeout,
        HealthThresholds health,
        Redaction redaction,
        Entrance entrance) {
    private static final int USUAL_PORT = 8080;

    /** With the usual redaction, and users of its own only. */
    public AdminSettings(
            InetAddress address,
            int port,
            List<AdminUser> users,
            String localName,
            Duration statementTimeout,
            HealthThresholds health) {
        this(address, port, users, localName, statementTimeout, health, RedactionRules.DEFAULT, Entrance.PLAIN);
    }

    /** Fails, naming the setting, when this would be open to others. */
    public static AdminSettings from(Settings settings, String localName) {
        Section admin = settings.section("admin");
        InetAddress address = address(admin.text("address").orElse("127.0.0.1"));
        List<AdminUser> users =
                settings.users().values().stream().map(AdminSettings::user).toList();
        checkNames(users);
        Entrance entrance = Entrance.from(admin);
        boolean open = users.isEmpty() && !entrance.knowsPeople();
        if (open && !entrance.proxies().isEmpty()) {
            throw new PostroomException(
                    "postroom.admin.trusted-proxies is set, and there are no users, so everybody whom the"
                            + " proxy lets through could do everything: add postroom.admin.users[0].name, .password and .role, or"
                            + " postroom.admin.proxy-user-header, or postroom.admin.oidc.issuer");
        }
        if (open && !address.isLoopbackAddress()) {
            throw new PostroomException("postroom.admin.address is " + address.getHostAddress()
                    + ", which others can reach, and there are no users: add postroom.admin.users[0].name, .password and"
                    + " .role, or use 127.0.0.1, or set postroom.admin.enabled to false");
        }
        return new AdminSettings(
                address,
                admin.integer("port").orElse(USUAL_PORT),
                users,
                localName.isBlank() ? "local" : localName,
                admin.duration("statement-timeout").orElse(Admin.DEFAULT_STATEMENT_TIMEOUT),
                settings.health(),
                settings.redaction(),
                entrance);
    }

    /** On this machine alone, without users. */
    public static AdminSettings local(int port, String localName) {
        return new AdminSettings(
                InetAddress.getLoopbackAddress(),
                port,
                List.of(),
                localName.isBlank() ? "local" : localName,
                Admin.DEFAULT_STATEMENT_TIMEOUT,
                HealthThresholds.DEFAULT);
    }

    boolean isOpen() {
        return users.isEmpty() && !entrance.knowsPeople();
    }

    private static AdminUser user(Section section) {
        return new AdminUser(
                section.text("name").orElse(""), section.text("password").orElse(""), rights(section));
    }

    private static Rights rights(Section section) {
        Role role = Role.valueOf(section.text("role").orElse("none").toUpperCase(Locale.ROOT));
        List<String> tenants = section.words("tenants");
        try {
            return new Rights(
                    role,
                    section.words("permissions").contains("reveal"),
                    tenants.isEmpty() ? Tenants.ALL : Tenants.of(tenants));
        } catch (PostroomException e) {
            throw new PostroomException(section.key("tenants") + ": " + e.getMessage(), e);
        }
    }

    private static void checkNames(List<AdminUser> users) {
        Set<String> names = new HashSet<>();
        for (AdminUser user : users) {
            if (!names.add(user.name())) {
                throw new PostroomException(
                        "postroom.admin.users has '" + user.name() + "' twice: give each user one entry");
            }
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new PostroomException("postroom.admin.address is no address of a machine (was '" + text
                    + "'): use 127.0.0.1, 0.0.0.0 or one of this machine's own");
        }
    }
}
