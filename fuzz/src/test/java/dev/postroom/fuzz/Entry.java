package dev.postroom.fuzz;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What Jazzer calls, with the target's name as its argument. Nothing of the product must be loaded along with this class: Jazzer would
 * rewrite it a second time, and records with annotated components do not survive that in JDK 17 ({@code NoSuchFieldError}).
 */
public final class Entry {
    private static final AtomicReference<@Nullable Target> TARGET = new AtomicReference<>();

    private Entry() {}

    public static void fuzzerInitialize(String[] args) {
        TARGET.set(Target.of(args[0]));
    }

    public static void fuzzerTestOneInput(byte[] input) {
        Target target = TARGET.get();
        if (target == null) {
            throw new IllegalStateException("Jazzer begins with fuzzerInitialize");
        }
        target.replay(input);
    }

    public static void fuzzerTearDown() {
        Tally.end();
    }
}
