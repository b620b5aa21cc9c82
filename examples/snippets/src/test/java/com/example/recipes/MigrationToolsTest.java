package com.example.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import liquibase.Scope;
import liquibase.UpdateSummaryEnum;
import liquibase.command.CommandScope;
import liquibase.command.core.UpdateCommandStep;
import liquibase.command.core.helpers.DbUrlConnectionArgumentsCommandStep;
import liquibase.command.core.helpers.ShowSummaryArgument;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.DirectoryResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code ./postroom migrate --print} shows is a script that Flyway and Liquibase can run as theirs. */
@Tag("R58")
class MigrationToolsTest {
    @TempDir
    Path folder;

    static Stream<TestDatabase> databases() {
        return Stream.of(H2.freshDatabase(), Postgres.newest().freshDatabase());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void flyway_runs_the_printed_script(TestDatabase database) throws IOException {
        Schema schema = schema(database.dataSource());
        Files.writeString(folder.resolve("V7__postroom.sql"), schema.script(0), StandardCharsets.UTF_8);
        for (int node = 1; node <= 2; node++) {
            Flyway.configure()
                    .dataSource(database.dataSource())
                    .locations("filesystem:" + folder)
                    .load()
                    .migrate();
        }
        assertThatItIsThere(database.dataSource());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void liquibase_runs_the_printed_script(TestDatabase database) throws Exception {
        Schema schema = schema(database.dataSource());
        Files.writeString(folder.resolve("postroom.sql"), schema.script(0), StandardCharsets.UTF_8);
        Files.copy(Path.of("src/test/resources/liquibase/changelog.xml"), folder.resolve("changelog.xml"));
        for (int node = 1; node <= 2; node++) {
            update(database);
        }
        assertThatItIsThere(database.dataSource());
    }

    private void update(TestDatabase database) throws Exception {
        try (Connection connection = database.connect()) {
            liquibase.database.Database target =
                    DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection));
            Scope.child(
                    Scope.Attr.resourceAccessor,
                    new DirectoryResourceAccessor(folder),
                    () -> new CommandScope(UpdateCommandStep.COMMAND_NAME)
                            .addArgumentValue(DbUrlConnectionArgumentsCommandStep.DATABASE_ARG, target)
                            .addArgumentValue(UpdateCommandStep.CHANGELOG_FILE_ARG, "changelog.xml")
                            .addArgumentValue(ShowSummaryArgument.SHOW_SUMMARY, UpdateSummaryEnum.OFF)
                            .execute());
        }
    }

    /** The tables are of this version, take messages, and have nothing left to migrate. */
    private static void assertThatItIsThere(DataSource dataSource) {
        Schema schema = schema(dataSource);
        schema.check();
        assertThat(schema.current()).isEqualTo(schema.target());
        assertThat(schema.migrate()).isEqualTo(List.of());
        assertThat(Outbox.on(dataSource)
                        .publishInOwnTransaction(Message.to("orders.created"))
                        .alreadyExisted())
                .isFalse();
    }

    private static Schema schema(DataSource dataSource) {
        return Store.open(dataSource, TableNames.DEFAULT).schema();
    }
}
