package dev.postroom.follow;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the states of a small scope: all of them, the nearest first, or along random walks. A state is reached by
 * its events, from the beginning each time: the real objects cannot be copied, and need not be.
 */
final class Explorer {
    /** What broke a rule, and the shortest way there that was found. */
    record Violation(String what, List<String> schedule) {
        @Override
        public String toString() {
            return what + "\n    " + String.join("\n    ", schedule);
        }
    }

    /** How far it came. */
    record Result(long states, boolean complete, @Nullable Violation violation) {}

    private record Node(@Nullable Node parent, @Nullable SmallEvent event) {
        List<SmallEvent> path() {
            List<SmallEvent> path = new ArrayList<>();
            for (Node node = this; node.event != null; node = java.util.Objects.requireNonNull(node.parent)) {
                path.add(0, node.event);
            }
            return path;
        }
    }

    private static final int WALK = 250;

    private final Scope scope;
    /** From each so many-th state on, the fair continuations. */
    private final int every;

    Explorer(Scope scope, int every) {
        this.scope = scope;
        this.every = every;
    }

    /** All interleavings, up to so many states. */
    Result exhaustively(long most) {
        StreamSet seen = new StreamSet(new StreamBudget(Integer.MAX_VALUE));
        List<Node> queue = new ArrayList<>();
        queue.add(new Node(null, null));
        seen.add(new SmallWorld(scope).fingerprint());
        long states = 0;
        for (int head = 0; head < queue.size() && states < most; head++) {
            Node node = queue.get(head);
            queue.set(head, node);
            List<SmallEvent> path = node.path();
            SmallWorld here = at(path);
            List<SmallEvent> events = here.events();
            states++;
            String bad = states % every == 0 ? continued(here, path) : null;
            if (bad != null) {
                return new Result(states, false, violation(bad, path));
            }
            for (SmallEvent event : events) {
                SmallWorld next = at(path);
                String broken = step(next, event);
                if (broken != null) {
                    path.add(event);
                    return new Result(states, false, violation(broken, path));
                }
                if (seen.add(next.fingerprint())) {
                    queue.add(new Node(node, event));
                }
            }
        }
        return new Result(states, states == queue.size(), null);
    }

    /** Random walks, always the same ones. */
    Result walking(int walks, long seed) {
        Random random = new Random(seed);
        long states = 0;
        for (int walk = 0; walk < walks; walk++) {
            SmallWorld world = new SmallWorld(scope);
            List<SmallEvent> path = new ArrayList<>();
            for (int i = 0; i < WALK; i++) {
                List<SmallEvent> events = world.events();
                if (events.isEmpty()) {
                    break;
                }
                SmallEvent event = events.get(random.nextInt(events.size()));
                String broken = step(world, event);
                path.add(event);
                states++;
                if (broken == null && random.nextInt(every) == 0) {
                    broken = continued(null, path);
                }
                if (broken != null) {
                    return new Result(states, false, violation(broken, path));
                }
            }
        }
        return new Result(states, false, null);
    }

    private static @Nullable String step(SmallWorld world, SmallEvent event) {
        try {
            world.apply(event);
            return world.check();
        } catch (RuntimeException e) {
            return e + " at " + e.getStackTrace()[0] + " " + e.getStackTrace()[1] + " " + e.getStackTrace()[2];
        }
    }

    private SmallWorld at(List<SmallEvent> path) {
        SmallWorld world = new SmallWorld(scope);
        path.forEach(world::apply);
        return world;
    }

    private @Nullable String continued(@Nullable SmallWorld first, List<SmallEvent> path) {
        SmallWorld world = first == null ? at(path) : first;
        for (Continuation continuation : Continuation.values()) {
            boolean any = switch (continuation) {
                case FAULTS_END -> true;
                case D_STAYS_CLOSED -> scope.budgets.of(Scope.Budget.CLOSE) > 0;
                case E_STAYS_CLOSED -> scope.budgets.of(Scope.Budget.CLOSE) > 0 && scope.closesE;
                case GATES_STAY -> scope.budgets.of(Scope.Budget.PAUSE) > 0;
            };
            if (any) {
                SmallWorld from = continuation == Continuation.FAULTS_END ? world : at(path);
                String bad;
                try {
                    bad = continuation.fails(from);
                } catch (RuntimeException e) {
                    bad = e + " in a fair continuation, at "
                            + List.of(e.getStackTrace()).subList(0, 5);
                }
                if (bad != null) {
                    return bad;
                }
            }
        }
        return null;
    }

    private Violation violation(String what, List<SmallEvent> path) {
        SmallWorld world = new SmallWorld(scope);
        List<String> schedule = new ArrayList<>();
        for (SmallEvent event : path) {
            try {
                world.apply(event);
            } catch (RuntimeException e) {
                schedule.add(event + "   -> " + e);
                break;
            }
            schedule.add(String.format("%-28s -> %s", event, world));
        }
        return new Violation(scope + ": " + what, schedule);
    }
}
