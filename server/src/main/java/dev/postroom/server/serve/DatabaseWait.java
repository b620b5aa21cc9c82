package dev.postroom.server.serve;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.server.database.Installation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Waits for a database that cannot be reached yet, as when a whole machine starts at once. Says for what it waits and how
 * long still: at once, and then every ten seconds.
 */
public final class DatabaseWait {
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);
    private static final Duration BETWEEN_REMARKS = Duration.ofSeconds(10);

    private final Installation installation;
    private final Termination termination;
    private final Consumer<String> remarks;
    private final long begun = System.nanoTime();
    private long nextRemark = begun;

    public DatabaseWait(Installation installation, Termination termination, Consumer<String> remarks) {
        this.installation = installation;
        this.termination = termination;
        this.remarks = remarks;
    }

    /**
     * Returns when it answers, or with false when the process is asked to end before.
     *
     * @throws PostroomException when it does not answer for as long as the settings say, or refuses for a reason that
     *     waiting does not cure
     */
    public boolean isOver() throws InterruptedException {
        while (true) {
            try (Connection connection = installation.dataSource().getConnection()) {
                return !termination.isRequested();
            } catch (DatabaseException e) {
                if (!e.isUnreachable()) {
                    throw e;
                }
                Duration left = installation.database().patience().minusNanos(System.nanoTime() - begun);
                if (left.isNegative() || left.isZero()) {
                    throw givenUp(e);
                }
                remark(e, left);
                if (termination.isRequestedWithin(left.compareTo(BETWEEN_TRIES) < 0 ? left : BETWEEN_TRIES)) {
                    return false;
                }
            } catch (SQLException e) {
                throw new DatabaseException("could not close a connection: " + e.getMessage(), e);
            }
        }
    }

    private PostroomException givenUp(DatabaseException e) {
        Duration wait = installation.database().patience();
        return wait.isZero()
                ? e
                : new PostroomException(
                        "the database at " + installation.database().shownUrl() + " could not be reached for "
                                + wait.toSeconds() + " s: check that it runs and postroom.database.url, or raise"
                                + " postroom.database.wait (the driver says: " + driverSays(e) + ")",
                        e);
    }

    private void remark(DatabaseException e, Duration left) {
        long now = System.nanoTime();
        if (now - nextRemark >= 0) {
            nextRemark = now + BETWEEN_REMARKS.toNanos();
            remarks.accept(
                    "Waiting for the database at " + installation.database().shownUrl() + ", up to "
                            + (left.toMillis() + 999) / 1000 + " s more (the driver says: " + driverSays(e) + ")");
        }
    }

    private String driverSays(DatabaseException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String text = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return installation.database().secrets().hide(text.strip());
    }
}
