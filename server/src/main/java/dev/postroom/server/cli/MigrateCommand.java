package dev.postroom.server.cli;

import dev.postroom.server.doctor.SchemaRights;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        description = "Brings the database's tables up to date, or shows the SQL for it.",
        footer = {
            "",
            "Examples:",
            "  postroom migrate",
            "  postroom migrate --print > postroom.sql",
            "  postroom migrate --grants relay --grantee postroom_relay"
        })
final class MigrateCommand extends PostroomCommand {

    @Option(names = "--print", order = 1, description = "Show the SQL that is missing, for a DBA, and change nothing.")
    private boolean print;

    @ArgGroup(exclusive = false)
    private @Nullable Grants grants;

    static final class Grants {
        @Option(
                names = "--grants",
                required = true,
                paramLabel = "ROLE",
                order = 2,
                description = "Show what writer, consumer, relay or migrator needs, as GRANT statements.")
        private String role = "";

        @Option(
                names = "--grantee",
                required = true,
                paramLabel = "NAME",
                order = 3,
                description = "The database role that gets them.")
        private String grantee = "";
    }

    record Migrated(String database, int from, int to, List<Integer> applied) {}

    @Override
    public Integer call() {
        if (print && grants != null) {
            throw wrongUsage("--print and --grants show different things: give one of them");
        }
        if (grants != null) {
            show(root().installation().store().schema().grants(grants.role, grants.grantee));
        } else if (print) {
            Schema schema = root().installation().store().schema();
            show(schema.script(schema.current()));
        } else {
            migrate(root().installation().storeToMigrate());
        }
        return SUCCESS;
    }

    private void show(String sql) {
        print(Map.of("sql", sql), () -> out().println(sql.stripTrailing()));
    }

    private void migrate(Store store) {
        Schema schema = store.schema();
        int from = schema.current();
        List<Integer> applied = schema.migrate();
        int to = schema.current();
        String warning = SchemaRights.warning(schema);
        if (!warning.isEmpty()) {
            remark(warning);
        }
        print(
                new Migrated(store.description(), from, to, applied),
                () -> out().println(
                                applied.isEmpty()
                                        ? "The tables are up to date: version " + to + " on " + store.description()
                                                + "."
                                        : "Brought the tables from version " + from + " to " + to + " on "
                                                + store.description() + "."));
    }
}
