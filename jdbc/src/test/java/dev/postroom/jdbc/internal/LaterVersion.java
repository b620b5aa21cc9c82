package dev.postroom.jdbc.internal;

import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** Migrations as a later version of the code has them. */
public final class LaterVersion {
    private LaterVersion() {}

    /** What this version has, and these scripts after it. */
    public static Schema of(DataSource dataSource, List<String> scripts) {
        Migrations schema =
                (Migrations) Store.open(dataSource, TableNames.DEFAULT).schema();
        for (String script : scripts) {
            schema = schema.followedBy(String.format(Locale.ROOT, "V%03d__later.sql", schema.target() + 1), script);
        }
        return schema;
    }
}
