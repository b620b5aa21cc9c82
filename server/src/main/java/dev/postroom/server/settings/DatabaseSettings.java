package dev.postroom.server.settings;

import dev.postroom.secrets.GuardedUrl;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.TableNames;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which database.
 *
 * @param username null when the URL says it, or none is needed
 * @param password null likewise, and where an H2 file keeps its own
 * @param patience how long a server that starts waits for a database that cannot be reached
 */
public record DatabaseSettings(
        String url, @Nullable String username, @Nullable String password, TableNames names, Duration patience) {
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

    private static final String ALLOW_SCRIPTS = "allow-scripts";

    static DatabaseSettings from(Section database) {
        String url = database.text("url").orElse(Settings.DEFAULT_URL);
        refuseScripts(database, url);
        refuseCredentials(database, url);
        // H2's own habit: without a name its first user is called sa.
        boolean needsUser =
                url.startsWith("jdbc:h2:") && !url.toUpperCase(Locale.ROOT).contains(";USER=");
        return new DatabaseSettings(
                url,
                database.text("username").orElse(needsUser ? "sa" : null),
                database.text("password").orElse(null),
                new TableNames(
                        database.text("schema").orElse(null),
                        database.text("table-prefix").orElse(TableNames.DEFAULT.prefix())),
                database.duration("wait").orElse(DEFAULT_PATIENCE));
    }

    /** H2 runs what {@code INIT=} says at every connection, and what it runs may be Java: a URL shall not be a program. */
    private static void refuseScripts(Section database, String url) {
        // A backslash takes the next character as it is, also in the middle of a name: IN\\IT is INIT to H2.
        boolean hasScript = url.startsWith("jdbc:h2:")
                && Arrays.stream(url.replace("\\", "").split(";"))
                        .anyMatch(setting ->
                                setting.strip().toUpperCase(Locale.ROOT).startsWith("INIT="));
        if (hasScript && !database.flag(ALLOW_SCRIPTS).orElse(false)) {
            throw new SettingsException(List.of(database.key("url")
                    + " has a script (INIT=), which H2 would run at every connection: remove it, or set "
                    + database.key(ALLOW_SCRIPTS) + " to true"));
        }
    }

    /** No driver reads them there: it would take a password for a port or a host, and tell it in its error. */
    private static void refuseCredentials(Section database, String url) {
        boolean hosts = url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:");
        if (hosts && GuardedUrl.of(url).hasCredentials()) {
            throw new SettingsException(List.of(database.key("url")
                    + " has an '@', before which a user and a password seem to stand: give them as "
                    + database.key("username") + " and " + database.key("password")
                    + "; in a database's name write %40"));
        }
    }

    /** The URL as it may be shown. */
    public String shownUrl() {
        return GuardedUrl.of(url).shown();
    }

    /** What errors about this database must not tell. */
    public Secrets secrets() {
        return GuardedUrl.of(url)
                .secrets()
                .and(Secrets.of(password == null ? "" : password))
                .exceptWordsOf(this.toString());
    }

    /** Without the password. */
    @Override
    public String toString() {
        return shownUrl() + (username == null ? "" : " as " + username);
    }
}
