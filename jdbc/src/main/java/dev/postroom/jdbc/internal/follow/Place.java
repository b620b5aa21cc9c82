package dev.postroom.jdbc.internal.follow;

/** Which part of a page a row of its statement belongs to, as one number: ranges, and asks of a stream read, are counted from 1. */
public final class Place {
    /** A late row, or the only part that there is. */
    public static final long LATE = 0;
    /** A row that is due. */
    public static final long DUE = -1;
    /** No row: what there is to know about the statement. */
    public static final long FACTS = -2;
    /** A row that was swept, without its contents. */
    public static final long SWEPT = -10;

    private Place() {}
}
