package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.StorageFacts;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** What a database does its own way when it is operated. Names of tables are the default ones. */
public interface OperationsSql {
    Timestamps timestamps();

    void setId(PreparedStatement statement, int index, UUID id) throws SQLException;

    /** Ends statements that take longer than this, and later takes that back. */
    Session.Setup limit(Duration longest);

    /** One row with the column {@code db_now}. */
    String now();

    /**
     * A page of the live rows of {@code {source}}, newest first; {@code {where}} on {@code m}, then limit and offset. Each
     * row has {@code {found}} as the column {@code found}. What holds a row is looked up for the page only, not for the rows
     * skipped on the way to it.
     */
    String list();

    /** The columns of a live row {@code m} that lists and their conditions need. */
    String columns();

    /** The {@link #columns()} of so many of the newest live rows, along an index. */
    String newest(int most);

    /** The {@link #columns()} of so many of the oldest live rows, along an index. */
    String oldest(int most);

    /** Whether the row {@code m} is none of so many of the oldest live rows. */
    String afterOldest(int most);

    /** What tells the database to go along this index, if it must be told; behind the table's name. */
    String along(Slice.Index index);

    /** The columns of the rows {@code m} of these slices, each along its index, none with a seq below the floor. */
    String slices(List<Slice> slices, String columns, OptionalLong floor);

    /** A number by which {@link #ofStream} finds a stream, given tenant, topic and key. */
    String placeOfStream();

    /** The slices in which a stream's rows are; there may be others' too. */
    List<Slice> ofStream(long place, List<Integer> states);

    /**
     * Up to a number of ids of live rows, oldest first, which are in one of these states. Rows in other states cost nothing
     * when those asked for are few.
     */
    List<UUID> select(Statements statements, List<Integer> states, Where where, int limit) throws SQLException;

    /** Whether an earlier row of its stream holds the keyed row {@code m}. */
    String held();

    /** The same for so many rows that it is not looked up for each. */
    String heldAmongMany();

    /** Finds the rows {@code m} of a stream fast, given tenant, topic and key; it may find others too. */
    String nearStream();

    /** Whether a text, given five times as a lower-case pattern with {@code !} as escape, is in id or words of {@code {t}}. */
    String search();

    /** Of each lane's messages with a due time: {@code first_due}, {@code next_due} after the time given, {@code latest_due}. */
    String dueTimes();

    /**
     * How many messages are due after the time given, counted no further than the number given. Those that are due already
     * must cost nothing: when relays were away there may be any number of them.
     */
    String countScheduled();

    /** About the latest failed and dead messages, up to a number: {@code id, topic, reason, error, state, failed}. */
    String failures();

    /** About how many rows a SELECT without limit would return, without counting them where that takes long. */
    long estimate(Statements statements, String select, Where where) throws SQLException;

    /** How the tables lie, from the database's own statistics. */
    StorageFacts storage(Statements statements) throws SQLException;

    /** Removes up to a number of archived rows older than a time, in bounded work; whole partitions where there are. */
    long purgeArchive(Statements statements, PurgeRequest request) throws SQLException;

    /** Makes partitions for the coming days, where there are any. */
    void prepareArchive(Statements statements) throws SQLException;

    /** Deletes up to a number (second parameter) of rows of a table whose time column lies before the first parameter. */
    String purge(String table, String column);
}
