package dev.postroom.server.database;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.secrets.Secrets;
import dev.postroom.server.settings.DatabaseSettings;
import dev.postroom.tls.TlsTrouble;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Says why there is no connection and what to do, by SQLSTATE rather than by a driver's wording. */
final class ConnectionFailure {
    private static final Set<String> NO_SUCH_DATABASE = Set.of("3D000", "42000", "90146", "90149");
    private static final String IN_USE = "90020";
    private static final String AUTHORITIES = "the URL's option for it (PostgreSQL sslrootcert, MariaDB serverSslCert)";
    private static final String CERTIFICATE =
            "the URL's options for it (PostgreSQL sslcert and sslkey, MariaDB keyStore)";

    private ConnectionFailure() {}

    static DatabaseException explain(DatabaseSettings settings, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String driverSays = settings.secrets().hide(firstLine(e));
        Optional<String> handshake =
                TlsTrouble.explain(e, AUTHORITIES, CERTIFICATE).map(settings.secrets()::hide);
        String text;
        Optional<H2File> kept = settings.password() == null ? H2File.of(settings.url()) : Optional.empty();
        if (state.startsWith("28") && kept.isPresent()) {
            text = "the database at " + settings.shownUrl() + " has another password than the one kept in "
                    + kept.get().passwordFile() + ": restore that file, or set postroom.database.password";
        } else if (state.startsWith("28")) {
            text = "the database refused the user " + (settings.username() == null ? "" : settings.username() + " ")
                    + "at " + settings.shownUrl() + ": check postroom.database.username and postroom.database.password"
                    + " (the driver says: " + driverSays + ")";
        } else if (NO_SUCH_DATABASE.contains(state)) {
            boolean file = settings.url().startsWith("jdbc:h2:");
            text = "there is no database at " + settings.shownUrl() + ": "
                    + (file ? "run './postroom migrate' to make it" : "create it")
                    + ", or correct postroom.database.url"
                    + " (the driver says: " + driverSays + ")";
        } else if (state.equals(IN_USE)) {
            text = "the database file at " + settings.shownUrl() + " is open in another program: end that one, or add"
                    + " ;AUTO_SERVER=TRUE to postroom.database.url in both";
        } else if (handshake.isPresent()) {
            text = "no TLS connection to the database at " + settings.shownUrl() + ": " + handshake.get()
                    + " (the driver says: " + driverSays + ")";
        } else {
            text = "cannot reach the database at " + settings.shownUrl() + ": check that it runs and"
                    + " postroom.database.url (the driver says: " + driverSays + ")";
        }
        return new DatabaseException(text, discreet(settings.secrets(), e));
    }

    static PostroomException unknownUrl(DatabaseSettings settings) {
        boolean mysql = settings.url().startsWith("jdbc:mysql:");
        return new PostroomException(
                "no driver understands postroom.database.url '" + scheme(settings.url()) + "…': use "
                        + (mysql
                                ? "jdbc:mariadb: instead of jdbc:mysql:"
                                : "jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE or jdbc:h2:file:PATH"));
    }

    /** All that is known of such a URL: Oracle's, for one, has a password behind a slash. */
    private static String scheme(String url) {
        int end = url.indexOf(':', url.startsWith("jdbc:") ? "jdbc:".length() : 0);
        return end < 0 ? "" : url.substring(0, end + 1);
    }

    /**
     * The driver's own exception, unless it tells a secret: then one without causes that says the same. The cause goes where
     * this process cannot follow it, such as into a log that somebody else has set up.
     */
    private static SQLException discreet(Secrets secrets, SQLException e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        if (secrets.hide(trace.toString()).equals(trace.toString())) {
            return e;
        }
        SQLException copy =
                new SQLException(secrets.hide(String.valueOf(e.getMessage())), e.getSQLState(), e.getErrorCode());
        copy.setStackTrace(e.getStackTrace());
        return copy;
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    }
}
