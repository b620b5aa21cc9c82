package dev.postroom.jdbc.internal;

import dev.postroom.spi.TableNames;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts the configured schema and prefix into SQL. Statements are written with the default names, so that they can be
 * read and pasted as they are.
 */
public final class SqlNames {
    private static final Pattern OBJECT = Pattern.compile("\\bpostroom_(message|archive_default|archive|attempt|dedup|"
            + "lane_of|lane|stream_of|node|destination|routing|pause|inbox|audit_purge|audit|schema|seq|readable|publish|text|archive_prepare|"
            + "archive_drop)\\b");
    private static final Pattern PREFIX = Pattern.compile("\\bpostroom_");

    private final TableNames names;

    public SqlNames(TableNames names) {
        this.names = names;
    }

    /** A statement with tables and functions in their configured schema and with their prefix. */
    public String in(String sql) {
        String qualifier = names.schema() == null ? "" : names.schema() + ".";
        return OBJECT.matcher(sql).replaceAll(Matcher.quoteReplacement(qualifier + names.prefix()) + "$1");
    }

    /** A migration with the configured prefix; the schema is the session's. */
    public String inMigration(String sql) {
        return PREFIX.matcher(sql).replaceAll(Matcher.quoteReplacement(names.prefix()));
    }

    public TableNames names() {
        return names;
    }
}
