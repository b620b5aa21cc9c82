package dev.postroom.jdbc.internal.operations;

import java.util.List;
import java.util.stream.Stream;

/** The tables of an outbox that grow, or that people look for. */
final class TableList {
    private TableList() {}

    static List<String> of(String prefix) {
        return Stream.of("message", "archive", "attempt", "dedup", "inbox", "audit", "lane", "node")
                .map(prefix::concat)
                .toList();
    }
}
