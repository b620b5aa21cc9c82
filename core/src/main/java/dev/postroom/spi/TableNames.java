package dev.postroom.spi;

import dev.postroom.PostroomException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an outbox's tables are. Names end up in SQL text, so only plain lower-case identifiers are let in.
 *
 * @param schema the schema (on MariaDB: the database), or null for the connection's own
 * @param prefix what every table's name begins with
 */
public record TableNames(@Nullable String schema, String prefix) {
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Pattern PREFIX = Pattern.compile("[a-z_][a-z0-9_]{0,29}");

    /** Tables in the connection's own schema, beginning with {@code postroom_}. */
    public static final TableNames DEFAULT = new TableNames(null, "postroom_");

    public TableNames {
        Objects.requireNonNull(prefix, "prefix");
        if (schema != null && !SCHEMA.matcher(schema).matches()) {
            throw rejected("schema", schema, 63, "postroom.database.schema");
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw rejected("table prefix", prefix, 30, "postroom.database.table-prefix");
        }
    }

    private static PostroomException rejected(String what, String value, int most, String setting) {
        return new PostroomException("the " + what + " must be 1 to " + most
                + " lower-case letters, digits or underscores, beginning with a letter or underscore (was '" + value
                + "'): change " + setting);
    }
}
