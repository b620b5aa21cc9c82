package dev.postroom.testkit.simulation.database;

import java.util.EnumSet;
import java.util.Set;

/**
 * What kind of database is simulated.
 *
 * @param lanesInUse how many of the lanes streams are hashed to: few make streams share one
 * @param streamIds how many ids streams are hashed to: few make streams share one, as they may by chance
 * @param defects what it does wrong on purpose
 */
public record DatabaseShape(Personality personality, int lanesInUse, long streamIds, Set<DatabaseDefect> defects) {

    public DatabaseShape {
        defects = defects.isEmpty() ? EnumSet.noneOf(DatabaseDefect.class) : EnumSet.copyOf(defects);
    }

    boolean has(DatabaseDefect defect) {
        return defects.contains(defect);
    }
}
