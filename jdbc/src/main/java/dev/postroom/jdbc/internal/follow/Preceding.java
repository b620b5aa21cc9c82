package dev.postroom.jdbc.internal.follow;

/** Which rows of a part are to be told what stands before them. */
public enum Preceding {
    /** None: their order says it. */
    NOTHING,
    /** Where a part has all READY rows of a lane from one number to another: for each destination, the first of a stream. */
    FIRST_OF_STREAM,
    /** All of them. */
    EACH_ROW
}
