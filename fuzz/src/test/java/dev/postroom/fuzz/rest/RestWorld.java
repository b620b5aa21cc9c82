package dev.postroom.fuzz.rest;

import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.server.web.AdminSettings;
import dev.postroom.server.web.ServerMetrics;
import dev.postroom.server.web.WebServer;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

/** The admin surface as {@code serve} starts it, with users, over an outbox with messages of two tenants. Started once per JVM. */
final class RestWorld {
    private static final int DEEP = 5_000;
    private static final int LONG = 9_000;

    final Messages acme;
    final Messages globex;
    final Tables tables;
    final int port;
    private final Map<Person, String> passwords = new EnumMap<>(Person.class);
    /** The server must outlive this constructor, and ends with the JVM. */
    private final WebServer server;

    RestWorld() throws SQLException {
        DataSource dataSource = H2.freshDatabase().dataSource();
        Store store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        acme = Messages.write(dataSource, "acme");
        globex = Messages.write(dataSource, "globex");
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO postroom_destination (bit, name) VALUES (0, 'out')");
        }
        tables = new Tables(dataSource);
        tables.save();
        server = WebServer.start(store, settings(), new ServerMetrics());
        port = URI.create(server.url()).getPort();
    }

    private AdminSettings settings() {
        Map<String, String> given = new HashMap<>(Map.of("postroom.admin.port", "0"));
        for (Person person : Person.values()) {
            if (person != Person.NOBODY) {
                String prefix = "postroom.admin.users[" + passwords.size() + "].";
                String password = "secret-" + UUID.randomUUID();
                passwords.put(person, password);
                given.put(prefix + "name", person.label());
                given.put(prefix + "password", password);
                given.put(prefix + "role", person == Person.VIEWER ? "viewer" : "operator");
                if (person == Person.TENANT_OPERATOR) {
                    given.put(prefix + "tenants", "acme");
                    given.put(prefix + "permissions", "reveal");
                }
            }
        }
        return AdminSettings.from(Settings.load(new SettingsSources(null, Map.of(), given)), "local");
    }

    /** What identifies somebody in a request. */
    List<String> credentials(Person person) {
        if (person == Person.NOBODY) {
            return List.of();
        }
        String both = person.label() + ":" + passwords.get(person);
        return List.of(
                "Authorization: Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }

    RequestText signIn(Person person) {
        return new RequestText(
                "POST",
                "/api/v1/sign-in",
                List.of("Content-Type: application/json"),
                "{\"name\":\"" + person.label() + "\",\"password\":\"" + passwords.get(person) + "\"}");
    }

    List<String> secrets() {
        return List.copyOf(passwords.values());
    }

    /** What words in braces stand for. */
    Map<String, String> words() {
        return Map.of(
                "acme", acme.ids().get(0).toString(),
                "globex", globex.ids().get(0).toString(),
                "dead", acme.ids().get(1).toString(),
                "foreign-dead", globex.ids().get(1).toString(),
                "archived", acme.ids().get(4).toString(),
                "deep", "[".repeat(DEEP),
                "long", "a".repeat(LONG));
    }
}
