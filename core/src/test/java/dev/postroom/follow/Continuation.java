package dev.postroom.follow;

import dev.postroom.follow.SmallDatabase.Phase;
import dev.postroom.follow.SmallDatabase.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a state on nothing bad happens any more, and everybody gets a turn: then everything that can arrive has to, without a sweep. */
enum Continuation {
    FAULTS_END(0, false),
    D_STAYS_CLOSED(1, false),
    E_STAYS_CLOSED(2, false),
    GATES_STAY(0, true);

    private static final int ROUNDS = 150;

    private final int stayClosed;
    private final boolean gatesStay;

    Continuation(int stayClosed, boolean gatesStay) {
        this.stayClosed = stayClosed;
        this.gatesStay = gatesStay;
    }

    /** Null if everything arrives. */
    @Nullable
    String fails(SmallWorld world) {
        Scope scope = world.scope;
        world.stayClosed = stayClosed;
        world.gatesStay = gatesStay;
        for (int d = 0; d < 2; d++) {
            if ((stayClosed >> d & 1) != 0 && world.destination(d).isFlowing()) {
                if (scope.probes) {
                    return null; // nobody has failed to reach it yet
                }
                world.destination(d).pause("operator");
            }
        }
        int turn = 0;
        for (int round = 0; round < ROUNDS; round++) {
            openWhatMayOpen(world);
            if (world.isReading()) {
                world.apply(new SmallEvent(SmallEvent.Kind.ANSWER, 0, 0));
            }
            deliver(world);
            String bad = world.check();
            if (bad != null) {
                return bad + " (in a fair continuation)";
            }
            if (missing(world) == null) {
                return null;
            }
            if (round % 3 == 2 && world.database.now < 9) {
                world.database.now++;
            }
            if (world.needsFloor()) {
                world.apply(new SmallEvent(SmallEvent.Kind.READ_FLOOR, 0, 0));
                continue;
            }
            rereadNowAndThen(world, round);
            if (round % 2 == 1) {
                List<SmallEvent> streams = world.events().stream()
                        .filter(event -> event.kind() == SmallEvent.Kind.READ_STREAM)
                        .toList();
                if (!streams.isEmpty()) {
                    world.apply(streams.get(turn++ % streams.size()));
                    continue;
                }
            }
            List<Integer> lagging = world.lagging();
            int from = lagging.isEmpty() ? -1 : lagging.get(round / 2 % lagging.size());
            world.apply(new SmallEvent(SmallEvent.Kind.READ_PAGE, from, 0));
        }
        return "liveness (" + this + "): " + missing(world) + "\n      end: " + world;
    }

    private void openWhatMayOpen(SmallWorld world) {
        Scope scope = world.scope;
        for (int i = 0; i < world.database.rows.length; i++) {
            if (world.database.mayCommit(i)) {
                world.database.commit(i);
            }
        }
        for (SmallEvent event : List.copyOf(world.events())) {
            boolean opens = event.kind() == SmallEvent.Kind.OPEN && (stayClosed >> event.destination() & 1) == 0;
            if (opens || (event.kind() == SmallEvent.Kind.RESUME && !gatesStay && !scope.topicProbes)) {
                world.apply(event);
            }
        }
    }

    private void deliver(SmallWorld world) {
        for (int again = 0; again < 3; again++) {
            for (int row = 0; row < world.database.rows.length; row++) {
                for (int d = 0; d < 2; d++) {
                    deliver(world, row, d);
                }
                if (world.hasToSettle(row)) {
                    world.apply(new SmallEvent(SmallEvent.Kind.SETTLE, row, 0));
                }
                if (world.isSettling(row)) {
                    world.apply(new SmallEvent(SmallEvent.Kind.SETTLE_ANSWER, row, 0));
                }
            }
        }
    }

    private static void deliver(SmallWorld world, int row, int d) {
        Delivery delivery = world.delivery(row, d);
        if (delivery != null && delivery.isQueued() && world.maySend(delivery, d)) {
            world.apply(new SmallEvent(SmallEvent.Kind.SEND, row, d));
        }
        if (delivery != null && delivery.isSent() && world.isDoomed(row, d)) {
            world.apply(new SmallEvent(SmallEvent.Kind.RETURN, row, d));
        } else if (delivery != null && delivery.isSent() && !world.isBehindOnTheWire(row, d)) {
            world.apply(new SmallEvent(SmallEvent.Kind.CONFIRM, row, d));
        }
    }

    private static void rereadNowAndThen(SmallWorld world, int round) {
        if (round % 8 == 7) {
            for (int d = 0; d < 2; d++) {
                if (world.mayReread(d)) {
                    world.apply(new SmallEvent(SmallEvent.Kind.REREAD, 0, d));
                }
            }
        }
        if (round % 16 == 15 && world.scope.skew) {
            world.rescanDue();
        }
    }

    private @Nullable String missing(SmallWorld world) {
        for (int i = 0; i < world.database.rows.length; i++) {
            for (int d = 0; d < 2; d++) {
                if (isMissing(world, i, d)) {
                    return "row " + (i + 1) + " never reaches " + "de".charAt(d);
                }
            }
        }
        return null;
    }

    private boolean isMissing(SmallWorld world, int i, int d) {
        Row row = world.database.rows[i];
        boolean owed = row.isLive() && row.phase != Phase.DEAD && (row.owed() >> d & 1) != 0;
        if (!owed || (stayClosed >> d & 1) != 0) {
            return false;
        }
        Scope scope = world.scope;
        boolean ordered = row.plan.stream() != 0
                && !row.released
                && !(row.phase == Phase.WAITING && scope.skip[row.plan.topic()]);
        if (gatesStay
                && (isGated(world, row, d)
                        || world.destination(d).budget().used() >= scope.setMax
                        || world.track(d).parts().size() >= scope.parts
                        || (ordered && world.isInClosedSet(row.plan.stream(), d)))) {
            return false;
        }
        return !(ordered && isBehindOneThatStays(world, i, d));
    }

    private boolean isBehindOneThatStays(SmallWorld world, int i, int d) {
        Row row = world.database.rows[i];
        List<Row> before = new ArrayList<>();
        for (int h = 0; h < i; h++) {
            before.add(world.database.rows[h]);
        }
        return before.stream()
                .anyMatch(other -> other.plan.stream() == row.plan.stream()
                        && (other.owed() >> d & 1) != 0
                        && !world.scope.skip[other.plan.topic()]
                        && !other.released
                        && other.phase != Phase.GONE
                        && (other.phase == Phase.DEAD || (gatesStay && isGated(world, other, d))));
    }

    private static boolean isGated(SmallWorld world, Row row, int d) {
        Gate gate = world.destination(d).gate(Gate.Kind.TOPIC, row.stream.topic());
        return gate != null && gate.isClosed();
    }
}
