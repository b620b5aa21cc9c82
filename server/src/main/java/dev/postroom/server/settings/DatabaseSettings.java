package dev.postroom.server.settings;

import dev.postroom.server.text.Printable;
import dev.postroom.spi.TableNames;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which database.
 *
 * @param username null when the URL says it, or none is needed
 * @param password null likewise
 * @param patience how long a server that starts waits for a database that cannot be reached
 */
public record DatabaseSettings(
        String url, @Nullable String username, @Nullable String password, TableNames names, Duration patience) {
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

    static DatabaseSettings from(Section database) {
        String url = database.text("url").orElse(Settings.DEFAULT_URL);
        // H2's own habit: without a name its first user is called sa.
        boolean needsUser =
                url.startsWith("jdbc:h2:") && !url.toUpperCase(Locale.ROOT).contains(";USER=");
        return new DatabaseSettings(
                url,
                database.text("username").orElse(needsUser ? "sa" : null),
                database.text("password").orElse(needsUser ? "" : null),
                new TableNames(
                        database.text("schema").orElse(null),
                        database.text("table-prefix").orElse(TableNames.DEFAULT.prefix())),
                database.duration("wait").orElse(DEFAULT_PATIENCE));
    }

    /** The URL as it may be shown. */
    public String shownUrl() {
        return Printable.withoutPasswords(url);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return shownUrl() + (username == null ? "" : " as " + username);
    }
}
