package dev.postroom.server.database;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.server.settings.DatabaseSettings;
import dev.postroom.server.text.Printable;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Says why there is no connection and what to do, by SQLSTATE rather than by a driver's wording. */
final class ConnectionFailure {
    private static final Set<String> NO_SUCH_DATABASE = Set.of("3D000", "42000", "90146", "90149");
    private static final String IN_USE = "90020";

    private ConnectionFailure() {}

    static DatabaseException explain(DatabaseSettings settings, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String driverSays = Printable.withoutPasswords(firstLine(e));
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
        } else {
            text = "cannot reach the database at " + settings.shownUrl() + ": check that it runs and"
                    + " postroom.database.url (the driver says: " + driverSays + ")";
        }
        return new DatabaseException(text, e);
    }

    static PostroomException unknownUrl(DatabaseSettings settings) {
        boolean mysql = settings.url().startsWith("jdbc:mysql:");
        return new PostroomException("no driver understands postroom.database.url '" + settings.shownUrl() + "': use "
                + (mysql
                        ? "jdbc:mariadb: instead of jdbc:mysql:"
                        : "jdbc:postgresql://HOST/DATABASE, jdbc:mariadb://HOST/DATABASE or jdbc:h2:file:PATH"));
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    }
}
