package dev.postroom.server.doctor;

import dev.postroom.DatabaseException;
import dev.postroom.spi.Schema;
import java.util.List;

/** Who may create in the schema of the tables, and could so put functions of their own before those that we mean. */
public final class SchemaRights {
    private static final String ADVICE =
            "REVOKE CREATE ON SCHEMA … FROM them, or keep the tables in a schema of their own"
                    + " (postroom.database.schema)";

    private SchemaRights() {}

    /** Whether only the owner may create there. */
    static Finding finding(Schema schema) {
        try {
            List<String> others = schema.otherCreators();
            return others.isEmpty()
                    ? Finding.ok("schema rights", "nobody but the owner may create in it")
                    : Finding.warning("schema rights", says(others), ADVICE);
        } catch (DatabaseException e) {
            return Finding.warning(
                    "schema rights", String.valueOf(e.getMessage()), "look at them yourself: \\dn+ in psql");
        }
    }

    /** The same as one line for whoever migrates; empty where nothing is wrong. */
    public static String warning(Schema schema) {
        List<String> others = schema.otherCreators();
        return others.isEmpty() ? "" : "warning: " + says(others) + ": " + ADVICE;
    }

    private static String says(List<String> others) {
        return String.join(", ", others) + " may create in the schema of the tables, where functions of theirs can be"
                + " called with others' rights and tables of theirs be taken for ours";
    }
}
