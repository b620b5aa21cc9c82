package dev.postroom.follow;

import java.util.ArrayList;
import java.util.List;

/**
 * One small scope: up to six rows of one lane, the destinations d and e, topic a that goes to d and topic b that goes to both; what
 * may happen, how often, and how little fits.
 */
final class Scope {
    /** {@code 1a}: of stream 1, topic a. Stream 0 is no stream. {@code T}: of the tenant with a share; {@code +2}: due at 2; {@code =1}: commits with row 1. */
    record RowPlan(int stream, int topic, boolean tenant, int delayedTo, int commitsWith) {
        static RowPlan of(String text, int index) {
            int plus = text.indexOf('+');
            int equals = text.indexOf('=');
            return new RowPlan(
                    text.charAt(0) - '0',
                    text.charAt(1) - 'a',
                    text.contains("T"),
                    plus < 0 ? 0 : text.charAt(plus + 1) - '0',
                    equals < 0 ? index : text.charAt(equals + 1) - '1');
        }
    }

    /** What happens only so many times. */
    enum Budget {
        FAIL,
        DIE,
        CLOSE,
        PAUSE,
        RESTART,
        OPERATOR,
        READ_FAILURE,
        SWEEP,
        RETURN,
        LOST_ANSWER
    }

    final String name;
    final List<RowPlan> rows = new ArrayList<>();
    final Budgets budgets = new Budgets();
    final boolean[] skip = new boolean[2];
    int setMax = 99;
    int share = 2;
    int streamShare = 2;
    int tenantShare = 9;
    int lateLimit = 9;
    int pageLimit = 9;
    int parts = 8;
    int streamLimit = 9;
    int maxNow = 3;
    /** Topics that may be paused, or held one by one. */
    int gateMask = 3;

    boolean gatesAtE;
    boolean closesE;
    /** Operators skip messages as well. */
    boolean operatorSkips;
    /** A scan that was not cut ends at the last number, not at the last row. */
    boolean endsAtLast;
    /** What comes due may commit after its due time. */
    boolean skew;
    /** Destinations, and topics, are held by breakers and opened by probes; else paused and resumed. */
    boolean probes;

    boolean topicProbes;
    /** Both destinations keep the order of what they are handed. */
    boolean pipelined;
    /** Writers of one stream do not wait for one another: nobody promises their order then, and nothing may be lost all the same. */
    boolean racing;
    /** The database cannot tell late rows. */
    boolean portable;

    Scope(String name, String... rows) {
        this.name = name;
        for (int i = 0; i < rows.length; i++) {
            this.rows.add(RowPlan.of(rows[i], i));
        }
    }

    Scope may(Budget what, int times) {
        budgets.set(what, times);
        return this;
    }

    /** Where a topic goes. */
    static long route(int topic) {
        return topic == 0 ? 1 : 3;
    }

    @Override
    public String toString() {
        return name;
    }
}
