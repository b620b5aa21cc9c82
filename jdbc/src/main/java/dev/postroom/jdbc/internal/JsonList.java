package dev.postroom.jdbc.internal;

import java.util.List;
import java.util.stream.Collectors;

/** A list that MariaDB can join: one parameter whatever its length, hence one text for the statement caches. */
public final class JsonList {
    /** A list of numbers as the table {@code k} with the column {@code seq}, in the list's order. */
    public static final String SEQS = "JSON_TABLE(?, '$[*]' COLUMNS (seq BIGINT PATH '$')) k";

    private JsonList() {}

    /** The parameter of {@link #SEQS}. */
    public static String of(List<Long> seqs) {
        return seqs.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
}
