package dev.postroom.server.web;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The answers whose clients do not take them at once, and how much memory they may have together. When it is too much, those that
 * have waited longest are given up: whoever reads at all has his sooner. The newest stays, however long it is. Thread-safe.
 */
final class UnsentAnswers {
    private final long mostBytes;
    private final Set<AnswerWriter> waiting = new LinkedHashSet<>();
    private long bytes;

    UnsentAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    synchronized void add(AnswerWriter answer) {
        if (waiting.add(answer)) {
            bytes += answer.length();
        }
        Iterator<AnswerWriter> eldest = waiting.iterator();
        while (bytes > mostBytes && waiting.size() > 1) {
            AnswerWriter given = eldest.next();
            eldest.remove();
            bytes -= given.length();
            given.forget();
        }
    }

    synchronized void remove(AnswerWriter answer) {
        if (waiting.remove(answer)) {
            bytes -= answer.length();
        }
    }

    synchronized long bytes() {
        return bytes;
    }
}
