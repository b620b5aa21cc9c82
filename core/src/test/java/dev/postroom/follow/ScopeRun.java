package dev.postroom.follow;

/** Runs a small scope for somebody who has only its name: a class loader with another version of the code. */
final class ScopeRun {
    private ScopeRun() {}

    /**
     * Goes through a scope.
     *
     * @param arguments the scope's name, how many states, or walks with {@code walk} before it, and from each so many-th a continuation
     * @return what was broken, or nothing
     */
    static String run(String... arguments) {
        boolean walk = arguments[0].equals("walk");
        int first = walk ? 1 : 0;
        Explorer explorer = new Explorer(Scopes.named(arguments[first]), Integer.parseInt(arguments[first + 2]));
        Explorer.Result result = walk
                ? explorer.walking(Integer.parseInt(arguments[first + 1]), 7)
                : explorer.exhaustively(Long.parseLong(arguments[first + 1]));
        return result.violation() == null ? "" : result.states() + " states, " + result.violation();
    }
}
