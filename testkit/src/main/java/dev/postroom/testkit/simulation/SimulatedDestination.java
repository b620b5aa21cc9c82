package dev.postroom.testkit.simulation;

import java.util.Set;
import java.util.TreeSet;

/** Whether a destination takes messages. */
final class SimulatedDestination {
    private final String name;
    private final Set<String> topicsAway = new TreeSet<>();
    private boolean unavailable;
    private boolean silent;
    private boolean failing;

    SimulatedDestination(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isUnavailable() {
        return unavailable;
    }

    void setUnavailable(boolean away) {
        unavailable = away;
    }

    boolean isTopicUnavailable(String topic) {
        return topicsAway.contains(topic);
    }

    void setTopicUnavailable(String topic, boolean away) {
        if (away) {
            topicsAway.add(topic);
        } else {
            topicsAway.remove(topic);
        }
    }

    /** It takes connections and answers nothing. */
    boolean isSilent() {
        return silent;
    }

    void setSilent(boolean away) {
        silent = away;
    }

    /** It answers, and takes nothing. */
    boolean isFailing() {
        return failing;
    }

    void setFailing(boolean fails) {
        failing = fails;
    }

    void recover() {
        failing = false;
        unavailable = false;
        silent = false;
        topicsAway.clear();
    }
}
