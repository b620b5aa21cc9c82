package dev.postroom.testkit.simulation.database;

import java.time.Instant;

/** Where a row stands in a lane's order of due times. */
record DuePlace(Instant due, Place place) implements Comparable<DuePlace> {
    @Override
    public int compareTo(DuePlace other) {
        int byDue = due.compareTo(other.due);
        return byDue != 0 ? byDue : place.compareTo(other.place);
    }
}
