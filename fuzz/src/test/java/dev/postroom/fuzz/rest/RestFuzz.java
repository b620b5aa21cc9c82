package dev.postroom.fuzz.rest;

import dev.postroom.fuzz.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Sends one request as everybody, and looks at what came back and at what is in the database then. For one thread. */
public final class RestFuzz {
    private static final int TALLY_EVERY = 2_000;

    private final RestWorld world = new RestWorld();
    private final Exchanges exchanges = new Exchanges(world);
    private final AnswerChecks checks =
            new AnswerChecks(world, OpenApiSeeds.read().open());
    private final Map<String, String> before = world.tables.rows();
    private final Map<String, String> foreignBefore = world.tables.foreignRows();
    private final Map<Person, Map<Integer, Integer>> statuses = new EnumMap<>(Person.class);
    private int sent;
    private int unanswered;
    private long slowestNanos;

    private RestFuzz() throws SQLException {
        Tally.atEnd(this::sumUp);
    }

    /** When the first input is tried. */
    private static final class Started {
        static final RestFuzz FUZZ = start();

        private static RestFuzz start() {
            try {
                return new RestFuzz();
            } catch (SQLException e) {
                throw new IllegalStateException("the outbox cannot be made", e);
            }
        }
    }

    /** Every operation of openapi.json, as it is meant to be used. */
    public static Map<String, byte[]> moreSeeds() {
        return OpenApiSeeds.read().seeds();
    }

    public static void tryInput(byte[] input) {
        try {
            Started.FUZZ.run(input);
        } catch (SQLException e) {
            throw new IllegalStateException("the database cannot be asked", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(byte[] input) throws SQLException, IOException {
        try {
            runAsEverybody(input);
        } catch (AssertionError e) {
            world.tables.restore(); // the next input is not to blame for what this one did
            throw e;
        }
    }

    private void runAsEverybody(byte[] input) throws SQLException, IOException {
        RequestText request = RequestText.of(input, world.words());
        for (Person person : Person.values()) {
            HttpAnswer answer = exchanges.send(person, request);
            if (answer == null) {
                unanswered++;
            } else {
                count(person, answer);
                checks.check(person, request, answer);
            }
            Map<String, String> after = world.tables.rows();
            if (!after.equals(before)) {
                checkChange(person, after);
                if (person == Person.TENANT_OPERATOR) {
                    requireSame(person, foreignBefore, world.tables.foreignRows());
                }
                world.tables.restore();
            }
        }
    }

    private void checkChange(Person person, Map<String, String> after) {
        if (person.mayOnlyLook()) {
            requireSame(person, before, after);
        }
        if (Objects.equals(before.get(Tables.AUDIT), after.get(Tables.AUDIT))) {
            throw new AssertionError(person.label() + " changed what is not in the audit");
        }
    }

    private static void requireSame(Person person, Map<String, String> before, Map<String, String> after) {
        after.forEach((table, rows) -> {
            if (!Objects.equals(rows, before.get(table))) {
                throw new AssertionError(
                        person.label() + " changed " + table + " from\n" + before.get(table) + "to\n" + rows);
            }
        });
    }

    private void count(Person person, HttpAnswer answer) {
        statuses.computeIfAbsent(person, one -> new TreeMap<>()).merge(answer.status(), 1, Integer::sum);
        slowestNanos = Math.max(slowestNanos, answer.nanos());
        if (++sent % TALLY_EVERY == 0) {
            sumUp();
        }
    }

    private void sumUp() {
        Tally.print(sent + " requests, " + unanswered + " closed over their body, slowest " + slowestNanos / 1_000_000
                + " ms, by status " + statuses);
    }
}
