package dev.postroom.jdbc.internal.follow;

import java.util.ArrayList;
import java.util.List;

/** Deals the bytes of an answer out to its parts, a row each in turn, so that large messages in one of them leave something to the others. */
final class Shares {
    private final List<List<FoundRow>> ranges = new ArrayList<>();
    private final List<FoundRow> due;

    Shares(List<List<FoundRow>> ranges, List<FoundRow> due, Budget budget) {
        List<List<FoundRow>> found = new ArrayList<>(ranges);
        found.add(due);
        List<Integer> taken = new ArrayList<>();
        found.forEach(part -> taken.add(0));
        List<Integer> open = new ArrayList<>();
        for (int part = 0; part < found.size(); part++) {
            open.add(part);
        }
        while (!open.isEmpty()) {
            open.removeIf(part -> {
                List<FoundRow> rows = found.get(part);
                int next = taken.get(part);
                if (next == rows.size() || !budget.accepts(rows.get(next))) {
                    return true;
                }
                taken.set(part, next + 1);
                return false;
            });
        }
        for (int part = 0; part < ranges.size(); part++) {
            this.ranges.add(whole(ranges.get(part), taken.get(part)));
        }
        this.due = due.subList(0, taken.get(ranges.size()));
    }

    /** A range does not end between rows that share a number. */
    private static List<FoundRow> whole(List<FoundRow> rows, int taken) {
        int end = taken;
        while (end > 0
                && end < rows.size()
                && rows.get(end).seq() == rows.get(end - 1).seq()) {
            end++;
        }
        return rows.subList(0, end);
    }

    List<FoundRow> ofRange(int n) {
        return ranges.get(n);
    }

    List<FoundRow> ofDue() {
        return due;
    }

    /** All parts, after the late one. */
    List<List<FoundRow>> parts(List<FoundRow> late) {
        List<List<FoundRow>> parts = new ArrayList<>();
        parts.add(late);
        parts.addAll(ranges);
        parts.add(due);
        return parts;
    }
}
