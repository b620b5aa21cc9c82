package dev.postroom.spring.boot;

import dev.postroom.SchemaException;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import javax.sql.DataSource;

/** The data source of the outbox, once its tables are there. */
record PreparedDatabase(DataSource dataSource) {

    static PreparedDatabase prepare(DataSource dataSource, PostroomProperties.DatabaseProperties settings) {
        Schema schema = Store.open(dataSource, settings.names()).schema();
        if (settings.migrate()) {
            schema.migrate();
        } else {
            check(schema);
        }
        return new PreparedDatabase(dataSource);
    }

    private static void check(Schema schema) {
        try {
            schema.check();
        } catch (SchemaException e) {
            throw new SchemaException(
                    e.getMessage() + ". Or let this application do it: postroom.database.migrate=true", e);
        }
    }
}
