package dev.postroom.follow;

/** How many stream ids the sets of one destination may hold together, in all lanes: what it cannot remember, it waits for. */
final class StreamBudget {
    private final int most;
    private int used;

    StreamBudget(int most) {
        this.most = most;
    }

    boolean hasRoom() {
        return used < most;
    }

    int used() {
        return used;
    }

    /** Also beyond the limit: a failure is remembered always, and there are no more of those than messages in memory. */
    void take() {
        used++;
    }

    void giveBack(int ids) {
        used -= ids;
    }
}
