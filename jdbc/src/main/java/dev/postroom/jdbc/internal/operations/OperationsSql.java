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
import org.jspecify.annotations.Nullable;

/** What a database does its own way when it is operated. Names of tables are the default ones. */
public interface OperationsSql {
    /** What {@link #holders} is asked for to tell which streams are held. */
    String STREAM_AND_SEQ = "m.stream, m.tenant, m.ordering_key, m.seq";

    Timestamps timestamps();

    void setId(PreparedStatement statement, int index, UUID id) throws SQLException;

    /** Removes old audit rows in the one way that is left to a relay. */
    long purgeAudit(Statements statements, PurgeRequest request) throws SQLException;

    /** A text, or null of any type. */
    void setText(PreparedStatement statement, int index, @Nullable String text) throws SQLException;

    /** Ends statements that take longer than this, sees what others commit meanwhile, and later takes that back. */
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

    /** Archived rows {@code a} with {@code {where}}, which no index leads to; to be counted up to a limit. */
    default String archived() {
        return Counts.ARCHIVED;
    }

    /** The {@link #columns()} of so many of the newest live rows, along an index. */
    String newest(int most);

    /** The {@link #columns()} of so many of the oldest live rows, along an index. */
    String oldest(int most);

    /** Whether the row {@code m} is none of so many of the oldest live rows. */
    String afterOldest(int most);

    /**
     * What tells the database to go along this index, if it must be told; behind the table's name. The names are MariaDB's.
     */
    String along(String index);

    /** What is seen of each slice that has rows, looking at no more than its most. */
    List<Extent> extents(Statements statements, List<Slice> slices) throws SQLException;

    /**
     * The {@link #columns()} of the rows of these slices, each along its index, none with a seq below the floor. Where there
     * is none, no slice may have more rows than its most.
     */
    String slices(List<Slice> slices, OptionalLong floor);

    /** These columns of the rows {@code m} in these states, which are next to each other; along an index. */
    String inStates(String columns, List<Integer> states);

    /** A number by which {@link #ofStream} finds a stream, given tenant and key. */
    String placeOfStream();

    /** The slices in which a stream's rows are; there may be others' too. */
    List<Slice> ofStream(long place, List<Integer> states);

    /** What orders the rows {@code m} by their age. */
    String inOrder();

    /**
     * Up to a number of ids of live rows, oldest first, which are in one of these states. Rows in other states cost nothing
     * when those asked for are few.
     */
    List<UUID> select(Statements statements, List<Integer> states, Where where, int limit) throws SQLException;

    /**
     * Locks those of these messages that fit a condition on {@code m}, in the order in which relays settle, and returns
     * their ids. Waits for nobody who has other rows.
     */
    default List<UUID> lock(Statements statements, List<UUID> ids, String condition) throws SQLException {
        Where where = new Where().andIn("m.id", ids).and(condition);
        return statements.all(
                where.in("SELECT m.id FROM postroom_message m WHERE {where} ORDER BY m.lane, m.seq FOR UPDATE"),
                where.values(),
                row -> MessageItems.id(row, "id"));
    }

    /** Ends a subquery that must be looked up row by row, where the database might do something else. */
    default String fence() {
        return "";
    }

    /** Whether an earlier row of its stream holds the keyed row {@code m}. */
    String held();

    /** The same for so many rows that it is not looked up for each. */
    String heldAmongMany();

    /** Finds the rows {@code m} of a stream fast, given tenant and key; it may find others too. */
    String nearStream();

    /** The same for what {@link #holders} finds. */
    default String nearHolders() {
        return nearStream();
    }

    /**
     * These columns of the rows {@code m} that hold their stream and fit {@code {where}}; along an index that has no others,
     * a stream's together and oldest first.
     */
    String holders(String columns);

    /**
     * One row with the number of those streams of {@code {held}} (stream, tenant, ordering_key, seq of the first holder) in which a later
     * message waits that has not failed itself. Looks at no more than so many rows beside those that hold.
     */
    String streamsWaitedIn(int most);

    /**
     * A row for each message that waits so, in parts of which none returns more than so many; each begins with {@code {held}}.
     */
    List<String> waiting(int most);

    /**
     * These columns of the first rows {@code m} of a stream that are ready and fit {@code {where}}, which finds it as
     * {@link #nearHolders} does; along an index, oldest first. A bounded number is looked at, as long as holders do not come before.
     */
    String ready(String columns);

    /**
     * Whether a text, given four times as a lower-case pattern with {@code !} as escape, is in id or words of {@code {t}} other than its
     * error.
     */
    String search();

    /** Whether a text, given as such a pattern, is in the error of {@code {t}}. */
    default String searchError() {
        return "LOWER({t}.error) LIKE ? ESCAPE '!'";
    }

    /** Whether the text of a column contains what a regular expression describes, which is given. */
    String containsExpression(String column);

    /**
     * When messages are due that have a due time. Those that are due already must cost nothing: when relays were away there
     * may be any number of them.
     */
    DueTimes dueTimes(Statements statements) throws SQLException;

    /** A row for each message that is due after the time given; the others cost nothing here either. */
    String scheduled();

    /**
     * About how many rows a SELECT without limit would return, without counting them where that takes long. All rows that it
     * looks at are to be rows that it returns.
     */
    long estimate(Statements statements, String select, Where where) throws SQLException;

    /** The same for a SELECT that has to look at others too, of which a sample was seen. */
    long estimate(Statements statements, String select, Where where, Sample sample) throws SQLException;

    /** How the tables lie, from the database's own statistics. */
    StorageFacts storage(Statements statements) throws SQLException;

    /** Removes up to a number of archived rows older than a time, in bounded work; whole partitions where there are. */
    long purgeArchive(Statements statements, PurgeRequest request) throws SQLException;

    /** Makes partitions for the coming days, where there are any. */
    void prepareArchive(Statements statements) throws SQLException;

    /** Deletes up to a number of a table's rows that are older than a time, and leaves those that somebody is using now. */
    long purge(Statements statements, AgedTable table, PurgeRequest request) throws SQLException;
}
