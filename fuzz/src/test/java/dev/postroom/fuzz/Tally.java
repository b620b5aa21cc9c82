package dev.postroom.fuzz;

import java.util.concurrent.atomic.AtomicReference;

/** What a target says about what it has tried, in a line that {@link Campaign} finds among Jazzer's own. */
public final class Tally {
    static final String MARK = "tried: ";

    private static final AtomicReference<Runnable> LAST = new AtomicReference<>(() -> {});

    private Tally() {}

    /** Says the last word of a target, which is asked for when its run is over. */
    public static void atEnd(Runnable words) {
        LAST.set(words);
    }

    static void end() {
        LAST.get().run();
    }

    @SuppressWarnings("SystemOut") // the parent process reads it
    public static void print(String what) {
        System.out.println(MARK + what);
        System.out.flush();
    }
}
