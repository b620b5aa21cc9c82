package dev.postroom.testbed;

/**
 * A running database server, shared by every test of one JVM.
 *
 * <p>Safe for use by several threads. It ends with the JVM, also with one that is killed.
 */
public interface DatabaseServer {

    /** The JDBC URL of the server's own, shared database; tests want {@link #freshDatabase()}. */
    String url();

    /** The name of a user who may create databases. */
    String username();

    /** That user's password, possibly empty. */
    String password();

    /**
     * Creates an empty database that no other test sees.
     *
     * @throws TestbedException when the server refuses
     */
    TestDatabase freshDatabase();
}
