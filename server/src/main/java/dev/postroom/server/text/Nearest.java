package dev.postroom.server.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** What somebody probably meant: the known name with the fewest letters to change. */
public final class Nearest {
    private Nearest() {}

    /** The nearest of the names, if it is near enough to be meant: at most a third of its letters differ. */
    public static Optional<String> to(String typed, Collection<String> names) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String name : names) {
            int distance = distance(wanted, name.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = name;
            }
        }
        return best != null && least <= Math.max(1, best.length() / 3) ? Optional.of(best) : Optional.empty();
    }

    /** {@code ": did you mean X?"}, or nothing when none is near. */
    public static String hint(String typed, Collection<String> names) {
        return to(typed, names).map(name -> ": did you mean " + name + "?").orElse("");
    }

    /** Letters to insert, delete, replace or swap with their neighbour. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : step(cost, a, b, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int step(int[][] cost, String a, String b, int i, int j) {
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
    }
}
