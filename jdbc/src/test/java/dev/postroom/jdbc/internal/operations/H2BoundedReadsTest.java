package dev.postroom.jdbc.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.jdbc.internal.h2.ExplainedConnections;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

class H2BoundedReadsTest extends BoundedReadsContract {
    private static final Pattern SELECT = Pattern.compile("\\bSELECT\\b");
    private static final Pattern SCAN_COUNT = Pattern.compile("scanCount: (\\d+)");

    private final TestDatabase database = H2.freshDatabase();
    private final ExplainedConnections explained = new ExplainedConnections(database.dataSource());

    @Override
    TestDatabase database() {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        return database;
    }

    @Override
    DataSource watched() {
        return explained.dataSource();
    }

    @Override
    OperationsSql sql() {
        return new H2OperationsSql(10 * SEARCHED);
    }

    @Override
    String written(String statement, int numbers) {
        return statement
                .replace("{now}", "CURRENT_TIMESTAMP(6)")
                .replace("{tomorrow}", "DATEADD(DAY, 1, CURRENT_TIMESTAMP(6))")
                .replace("{id}", "RANDOM_UUID()")
                .replace("{numbers}", "(SELECT x AS n FROM SYSTEM_RANGE(1, " + numbers + ")) numbers");
    }

    @Override
    long lookedAt() {
        return explained.take().stream()
                .flatMap(plan -> SCAN_COUNT.matcher(plan).results())
                .mapToLong(count -> Long.parseLong(count.group(1)))
                .sum();
    }

    /** H2 plans a SELECT again for each one around it: a statement that is made of many takes seconds before it begins. */
    @Test
    @Order(2)
    void no_read_is_made_of_many_parts() {
        assertThat(explained.takeStatements())
                .isNotEmpty()
                .allSatisfy(statement -> assertThat(SELECT.matcher(statement).results())
                        .as("parts of %s", statement)
                        .hasSizeLessThan(20));
    }
}
