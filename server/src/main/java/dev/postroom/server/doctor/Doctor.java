package dev.postroom.server.doctor;

import dev.postroom.PostroomException;
import dev.postroom.operations.Operations;
import dev.postroom.server.database.Installation;
import dev.postroom.spi.Store;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks from the ground up: settings, database, schema, and only then what the tables tell. It stops where nothing
 * above can be asked any more. Changes nothing.
 */
public final class Doctor {
    private final InstantSource clock;
    private final List<Finding> findings = new ArrayList<>();

    public Doctor(InstantSource clock) {
        this.clock = clock;
    }

    /** All findings, in the order of the checks. */
    public List<Finding> examine(Supplier<Installation> source) {
        Installation installation;
        try {
            installation = source.get();
        } catch (PostroomException e) {
            findings.add(Finding.wrong("settings", message(e), null));
            return findings;
        }
        findings.add(Finding.ok("settings", "readable"));
        if (reach(installation)) {
            ask(installation);
        }
        return findings;
    }

    private boolean reach(Installation installation) {
        Store store;
        try {
            store = installation.store();
        } catch (PostroomException e) {
            findings.add(Finding.wrong("database", message(e), null));
            return false;
        }
        findings.add(Finding.ok("database", store.description() + " at " + installation.database()));
        try {
            store.checkWritable();
            findings.add(Finding.ok("writable", "yes"));
        } catch (PostroomException e) {
            findings.add(Finding.wrong("writable", message(e), null));
        }
        Finding schema = schema(store);
        findings.add(schema);
        if (schema.level() == Finding.Level.WRONG) {
            return false;
        }
        findings.add(SchemaRights.finding(store.schema()));
        return true;
    }

    private static Finding schema(Store store) {
        try {
            store.schema().check();
            store.schema().checkLanes();
        } catch (PostroomException e) {
            return Finding.wrong("schema", message(e), null);
        }
        int current = store.schema().current();
        int target = store.schema().target();
        if (current < target) {
            return Finding.warning(
                    "schema", "version " + current + ", still usable; " + target + " is current", "./postroom migrate");
        }
        return Finding.ok("schema", "version " + current);
    }

    private void ask(Installation installation) {
        try {
            DatabaseProbe probe = new DatabaseProbe(
                    installation.dataSource(), installation.database().names());
            probe.clock(clock).forEach(findings::add);
            Operations operations = installation.operations("doctor");
            new DeliveryChecks(operations, installation.settings(), probe.now()).run(findings);
            probe.upkeep(operations.storage()).forEach(findings::add);
        } catch (PostroomException e) {
            findings.add(Finding.wrong("tables", message(e), null));
        }
    }

    private static String message(PostroomException e) {
        return String.valueOf(e.getMessage());
    }
}
