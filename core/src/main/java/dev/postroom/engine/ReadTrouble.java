package dev.postroom.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Since when the database does not answer what the reader asks, by the kind of question: one may be refused and others not. */
public final class ReadTrouble {
    private final Map<Class<?>, Failing> failing = new HashMap<>();

    private record Failing(long since, String why) {}

    public void failed(Command.ForReader question, String error, long now) {
        Failing known = failing.get(question.getClass());
        failing.put(question.getClass(), new Failing(known == null ? now : known.since, error));
    }

    public void answered(Command.ForReader question) {
        if (!failing.isEmpty()) {
            failing.remove(question.getClass());
        }
    }

    /** 0 when there is none. */
    long nanos(long now) {
        return longest().map(one -> now - one.since).orElse(0L);
    }

    String why() {
        return longest().map(Failing::why).orElse("");
    }

    private Optional<Failing> longest() {
        return failing.values().stream().min(Comparator.comparingLong(Failing::since));
    }
}
