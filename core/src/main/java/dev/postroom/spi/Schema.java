package dev.postroom.spi;

import java.util.List;

/** The tables' version, and the way from one to the next. */
public interface Schema {

    /** The version this code was written for. */
    int target();

    /** The version found, 0 when there are no tables yet. */
    int current();

    /**
     * Brings the tables up to the target under a lock, so that any number of nodes may start at once; refuses a schema
     * from the future. Returns the versions applied.
     */
    List<Integer> migrate();

    /** The SQL that would bring a database of this version to the target, for a DBA to read and run. */
    String script(int from);

    /** What a role needs, as GRANT statements: {@code writer}, {@code consumer}, {@code relay} or {@code migrator}. */
    String grants(String role, String grantee);

    /**
     * Who may create objects in the tables' schema beside its owner and theirs, {@code PUBLIC} for everybody; nobody where the database
     * looks for functions nowhere else than in itself. Whoever may, can offer functions that take the place of the server's own.
     */
    List<String> otherCreators();

    /** Fails with what to do when the tables are missing, older than this code can use, or newer. */
    void check();

    /**
     * Fails with what to do when this server computes other lanes than the one that the messages were written on, after a restore: a
     * stream's old and new messages would be in different lanes, and lose their order. {@link #migrate} computes all of them again.
     */
    void checkLanes();
}
