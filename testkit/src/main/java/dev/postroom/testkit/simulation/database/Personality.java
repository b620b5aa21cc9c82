package dev.postroom.testkit.simulation.database;

/** How a database tells a reader of rows that committed late. */
public enum Personality {
    /** Knows which transactions were running at the read before, as PostgreSQL does: late rows come in the page. */
    SNAPSHOTS,
    /** Cannot tell, as MariaDB and H2: gives the keys behind the cursors, and the nearest earlier row of a stream. */
    PORTABLE
}
