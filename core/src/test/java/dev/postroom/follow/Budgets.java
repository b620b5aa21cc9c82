package dev.postroom.follow;

import dev.postroom.follow.Scope.Budget;

/** How often each kind of trouble may still happen. */
final class Budgets {
    private final int[] left;

    Budgets() {
        left = new int[Budget.values().length];
    }

    Budgets(Budgets other) {
        left = other.left.clone();
    }

    int of(Budget what) {
        return left[index(what)];
    }

    void set(Budget what, int times) {
        left[index(what)] = times;
    }

    void spend(Budget what) {
        left[index(what)]--;
    }

    int[] toArray() {
        return left.clone();
    }

    /** An array instead of an EnumMap: it is copied for every one of very many states. */
    @SuppressWarnings("EnumOrdinal")
    private static int index(Budget what) {
        return what.ordinal();
    }
}
