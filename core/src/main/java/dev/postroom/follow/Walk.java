package dev.postroom.follow;

/**
 * Goes over the rows of one range of a lane and carries along every follower that it meets: whoever stands at or beyond its
 * beginning, and below its end, and can go on.
 */
final class Walk {
    private final Lane lane;
    private final long after;
    private final long page;
    private final long number;

    Walk(Lane lane, long after, long page, long number) {
        this.lane = lane;
        this.after = after;
        this.page = page;
        this.number = number;
    }

    long after() {
        return after;
    }

    /** Of the page that the range is in. */
    long page() {
        return page;
    }

    long number() {
        return number;
    }

    /** Rows come by seq. */
    void over(Offer offer) {
        for (Track track : lane.tracks()) {
            if (offer.isOwedTo(track.destination())) {
                track.ride(this, offer);
            }
        }
    }

    void end(long at) {
        for (Track track : lane.tracks()) {
            track.arrive(this, at);
        }
    }
}
