package dev.postroom.testkit.simulation.database;

/** How a database tells a reader of rows that committed late. */
public enum Personality {
    /** Knows which transactions were running at the read before, as PostgreSQL does: late rows come in the page. */
    SNAPSHOTS,
    /** Cannot tell, as MariaDB and H2: late rows are found by the sweep, and rows name the nearest earlier one of their stream. */
    PORTABLE
}
