package dev.postroom.follow;

import dev.postroom.follow.Scope.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The small scopes: each about a few rules and their neighbours. */
final class Scopes {
    private final List<Scope> all = new ArrayList<>();

    static List<Scope> small() {
        Scopes scopes = new Scopes();
        scopes.tiny();
        scopes.gatesAndLateRows();
        scopes.destinations();
        scopes.failures();
        scopes.single();
        scopes.shares();
        scopes.operators();
        scopes.topicProbes();
        scopes.wires();
        return scopes.all;
    }

    /** Everything at once: for random walks. */
    static List<Scope> big() {
        Scopes scopes = new Scopes();
        scopes.bigOnes();
        return scopes.all;
    }

    static Scope named(String name) {
        List<Scope> all = new ArrayList<>(small());
        all.addAll(big());
        return all.stream()
                .filter(scope -> scope.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scope of this name: " + name));
    }

    private void add(Scope scope, Consumer<Scope> more) {
        more.accept(scope);
        all.add(scope);
    }

    private void tiny() {
        add(new Scope("tiny1", "1a", "2b", "1b").may(Budget.PAUSE, 1), scope -> {
            scope.lateLimit = 1;
            scope.pageLimit = 1;
        });
        add(
                new Scope("tiny2", "1b", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.CLOSE, 1),
                scope -> {});
        add(new Scope("tiny3", "1b", "1a", "1a").may(Budget.FAIL, 1), scope -> {});
        add(
                new Scope("tiny4", "1a", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.OPERATOR, 1)
                        .may(Budget.RESTART, 1)
                        .may(Budget.READ_FAILURE, 1),
                scope -> {});
    }

    private void gatesAndLateRows() {
        add(new Scope("gates", "1a", "2b", "1b", "0a").may(Budget.PAUSE, 2), scope -> {});
        add(new Scope("gates5", "1a", "2b", "1b", "2a", "1a").may(Budget.PAUSE, 1), scope -> {});
        add(new Scope("late", "1a", "2b", "1b", "0a").may(Budget.PAUSE, 1), scope -> {
            scope.lateLimit = 1;
            scope.pageLimit = 2;
        });
        add(new Scope("latelast", "1a", "2b", "1b", "0a").may(Budget.PAUSE, 1), scope -> {
            scope.lateLimit = 1;
            scope.pageLimit = 1;
            scope.endsAtLast = true;
        });
        add(
                new Scope("tx", "1a", "2b", "1b=1", "2a=2").may(Budget.PAUSE, 1).may(Budget.CLOSE, 1),
                scope -> scope.lateLimit = 1);
        add(new Scope("fewparts", "1a", "2b", "1b", "2a").may(Budget.PAUSE, 2), scope -> scope.parts = 1);
    }

    private void destinations() {
        add(new Scope("close", "1a", "2b", "1b", "0b").may(Budget.CLOSE, 2), scope -> {
            scope.closesE = true;
            scope.share = 1;
            scope.pageLimit = 2;
        });
        add(new Scope("closegate", "1a", "2b", "1b", "1a").may(Budget.CLOSE, 1).may(Budget.PAUSE, 1), scope -> {
            scope.gateMask = 1;
            scope.lateLimit = 1;
        });
        add(new Scope("probe", "1b", "1a", "2b").may(Budget.CLOSE, 2).may(Budget.FAIL, 1), scope -> {
            scope.probes = true;
            scope.closesE = true;
        });
        add(new Scope("probegate", "1a", "1b", "2a", "2b").may(Budget.CLOSE, 1).may(Budget.PAUSE, 1), scope -> {
            scope.probes = true;
            scope.gateMask = 1;
        });
        add(
                new Scope("probegate2", "1a", "2b", "1b")
                        .may(Budget.CLOSE, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.FAIL, 1),
                scope -> {
                    scope.probes = true;
                    scope.gateMask = 2;
                });
        add(
                new Scope("probedue", "1a", "2a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.CLOSE, 1),
                scope -> scope.probes = true);
    }

    private void failures() {
        add(new Scope("fail", "1b", "1a", "2b", "1b").may(Budget.FAIL, 2), scope -> {});
        add(new Scope("holder", "1b", "1b").may(Budget.FAIL, 1).may(Budget.CLOSE, 1), scope -> {});
        add(
                new Scope("faildead", "1b", "1a", "1b")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.OPERATOR, 1),
                scope -> {});
        add(
                new Scope("failclose", "1b", "1a", "2b").may(Budget.FAIL, 1).may(Budget.CLOSE, 1),
                scope -> scope.closesE = true);
        add(
                new Scope("failgate", "1a", "1b", "2a", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1),
                scope -> scope.gateMask = 1);
        add(
                new Scope("skip", "1a", "1b", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.OPERATOR, 1),
                scope -> scope.skip[0] = true);
        add(new Scope("delay", "1a+2", "1b", "1a").may(Budget.FAIL, 1).may(Budget.CLOSE, 1), scope -> {});
        add(new Scope("delay2", "1a+1", "1a", "2b+1").may(Budget.FAIL, 2), scope -> {});
        add(
                new Scope("delaygate", "1b", "1a+2", "1a").may(Budget.FAIL, 1).may(Budget.PAUSE, 1),
                scope -> scope.gateMask = 1);
        add(
                new Scope("skew", "1a+2", "1b", "2a+1")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.OPERATOR, 1),
                scope -> scope.skew = true);
    }

    /** Each just large enough for one rule. */
    private void single() {
        add(new Scope("retry", "0a").may(Budget.FAIL, 2), scope -> scope.maxNow = 4);
        add(new Scope("stale", "1b").may(Budget.FAIL, 2).may(Budget.OPERATOR, 1), scope -> scope.maxNow = 4);
        add(new Scope("failgate2", "1b", "1b").may(Budget.FAIL, 1).may(Budget.PAUSE, 1), scope -> {
            scope.gatesAtE = true;
            scope.gateMask = 2;
        });
        add(new Scope("stops", "1a", "2b", "3b").may(Budget.PAUSE, 1), scope -> {
            scope.share = 1;
            scope.gateMask = 1;
        });
        add(new Scope("bothheld", "1b", "2a").may(Budget.CLOSE, 1).may(Budget.PAUSE, 1), scope -> {
            scope.probes = true;
            scope.topicProbes = true;
            scope.share = 3;
            scope.gateMask = 2;
        });
    }

    private void shares() {
        add(new Scope("share", "1a", "1b", "1a", "2a").may(Budget.FAIL, 1), scope -> {
            scope.streamShare = 1;
            scope.pageLimit = 2;
        });
        add(new Scope("longstream", "1b", "1a", "1b", "1a").may(Budget.FAIL, 1), scope -> {
            scope.streamShare = 1;
            scope.streamLimit = 1;
        });
        add(new Scope("tenant", "1aT", "2b", "1bT", "3aT").may(Budget.PAUSE, 1), scope -> scope.tenantShare = 1);
        add(
                new Scope("tenantclose", "1aT", "2b", "1bT")
                        .may(Budget.CLOSE, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.FAIL, 1),
                scope -> {
                    scope.tenantShare = 1;
                    scope.gateMask = 2;
                });
        add(new Scope("sets", "1a", "2b", "1b", "2a", "3a").may(Budget.PAUSE, 1), scope -> {
            scope.setMax = 1;
            scope.streamShare = 1;
            scope.gateMask = 1;
        });
        add(new Scope("fullset", "1a", "2a", "2b").may(Budget.PAUSE, 1), scope -> {
            scope.setMax = 1;
            scope.gateMask = 1;
        });
        add(
                new Scope("sets2", "1a", "2b", "1b", "2a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.CLOSE, 1),
                scope -> {
                    scope.setMax = 1;
                    scope.lateLimit = 1;
                });
    }

    private void operators() {
        add(
                new Scope("restart", "1a", "2b", "1b")
                        .may(Budget.RESTART, 1)
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1),
                scope -> {});
        add(
                new Scope("readfail", "1a", "2b", "1b")
                        .may(Budget.READ_FAILURE, 1)
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1),
                scope -> scope.lateLimit = 1);
        add(
                new Scope("sweep", "1a", "2b", "1b")
                        .may(Budget.SWEEP, 1)
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1),
                scope -> {});
        add(
                new Scope("release", "1a", "1b", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.OPERATOR, 1)
                        .may(Budget.PAUSE, 1),
                scope -> scope.gateMask = 1);
        add(
                new Scope("opskip", "1a", "2b", "1b", "1a")
                        .may(Budget.OPERATOR, 1)
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1),
                scope -> {
                    scope.operatorSkips = true;
                    scope.gateMask = 1;
                });
    }

    private void topicProbes() {
        add(new Scope("topicprobe", "1a", "2b", "1b", "2a").may(Budget.PAUSE, 1).may(Budget.FAIL, 1), scope -> {
            scope.topicProbes = true;
            scope.share = 3;
            scope.gateMask = 1;
        });
        add(
                new Scope("topicprobe2", "1b", "2a", "1a", "2b")
                        .may(Budget.PAUSE, 2)
                        .may(Budget.CLOSE, 1),
                scope -> {
                    scope.topicProbes = true;
                    scope.probes = true;
                    scope.share = 3;
                });
        add(new Scope("topicprobe1", "1b", "2a", "1a").may(Budget.PAUSE, 1), scope -> {
            scope.topicProbes = true;
            scope.share = 1;
        });
        add(
                new Scope("topicrelease", "1b", "2a", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.PAUSE, 1)
                        .may(Budget.OPERATOR, 1),
                scope -> {
                    scope.topicProbes = true;
                    scope.share = 3;
                    scope.gateMask = 2;
                    scope.maxNow = 4;
                });
    }

    private void wires() {
        add(new Scope("pipeline", "1a", "1a", "1b", "1a").may(Budget.FAIL, 1).may(Budget.RETURN, 1), scope -> {
            scope.pipelined = true;
            scope.share = 4;
            scope.streamShare = 3;
        });
        add(new Scope("pipeclose", "1a", "1a", "1b").may(Budget.CLOSE, 1).may(Budget.PAUSE, 1), scope -> {
            scope.pipelined = true;
            scope.probes = true;
            scope.topicProbes = true;
            scope.share = 3;
            scope.streamShare = 3;
        });
        add(
                new Scope("pipegate", "1a", "1a", "1b")
                        .may(Budget.PAUSE, 2)
                        .may(Budget.RETURN, 1)
                        .may(Budget.FAIL, 1),
                scope -> {
                    scope.pipelined = true;
                    scope.share = 3;
                    scope.streamShare = 3;
                });
        add(new Scope("lost", "1b", "1a", "2b").may(Budget.FAIL, 2).may(Budget.LOST_ANSWER, 1), scope -> {});
        add(
                new Scope("lostdead", "1b", "1a")
                        .may(Budget.FAIL, 1)
                        .may(Budget.DIE, 1)
                        .may(Budget.LOST_ANSWER, 1)
                        .may(Budget.OPERATOR, 1),
                scope -> {});
        add(new Scope("portable", "1a", "2b", "1b", "1a").may(Budget.FAIL, 1), scope -> scope.portable = true);
        add(new Scope("portablegate", "1b", "1a", "1b").may(Budget.PAUSE, 1).may(Budget.CLOSE, 1), scope -> {
            scope.portable = true;
            scope.pageLimit = 1;
        });
        add(new Scope("racing", "1b", "1a", "1b").may(Budget.FAIL, 1), scope -> {
            scope.racing = true;
            scope.streamLimit = 1;
            scope.streamShare = 1;
        });
    }

    private void bigOnes() {
        add(everything(new Scope("big", "1aT", "2b", "1bT", "0aT", "2a", "1aT+2")), scope -> {
            scope.tenantShare = 1;
            scope.streamShare = 1;
        });
        add(everything(new Scope("big2", "1b", "1a", "2b", "1b", "0b", "2a")), scope -> {});
        add(everything(new Scope("big3", "1b", "1a+2", "2a", "1b", "1a", "2b")).may(Budget.FAIL, 3), scope -> {
            scope.skip[0] = true;
            scope.share = 1;
            scope.streamShare = 1;
            scope.lateLimit = 2;
            scope.pageLimit = 1;
            scope.endsAtLast = true;
        });
        add(everything(new Scope("big4", "1a", "2b", "1b", "2a", "3b", "1a")).may(Budget.FAIL, 3), scope -> {
            scope.operatorSkips = true;
            scope.setMax = 1;
            scope.streamShare = 1;
            scope.maxNow = 6;
        });
        add(everything(new Scope("big5", "1a", "2b", "1b", "0a", "2a", "1a+2")).may(Budget.CLOSE, 3), scope -> {
            scope.probes = true;
            scope.streamShare = 1;
        });
        add(everything(new Scope("big6", "1a", "2b", "1b", "0a", "2a", "1a+2")).may(Budget.PAUSE, 3), scope -> {
            scope.probes = true;
            scope.topicProbes = true;
            scope.share = 3;
        });
        add(everything(new Scope("big7", "1a", "1a", "1b", "2a", "1a", "2a")).may(Budget.PAUSE, 3), scope -> {
            scope.probes = true;
            scope.topicProbes = true;
            scope.pipelined = true;
            scope.share = 4;
            scope.streamShare = 3;
        });
        add(everything(new Scope("big8", "1a", "2b", "1b", "0a", "2a", "1a+2")), scope -> {
            scope.portable = true;
            scope.pipelined = true;
            scope.share = 3;
        });
        add(everything(new Scope("big9", "1a", "2b", "1b", "1a", "2a", "1a")), scope -> {
            scope.parts = 1;
            scope.streamLimit = 2;
            scope.share = 3;
        });
    }

    private static Scope everything(Scope scope) {
        scope.lateLimit = 1;
        scope.pageLimit = 2;
        scope.maxNow = 5;
        scope.closesE = true;
        scope.gatesAtE = true;
        return scope.may(Budget.FAIL, 2)
                .may(Budget.DIE, 1)
                .may(Budget.CLOSE, 2)
                .may(Budget.PAUSE, 2)
                .may(Budget.RESTART, 1)
                .may(Budget.OPERATOR, 2)
                .may(Budget.READ_FAILURE, 1)
                .may(Budget.SWEEP, 1)
                .may(Budget.RETURN, 1)
                .may(Budget.LOST_ANSWER, 1);
    }
}
