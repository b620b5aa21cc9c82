package dev.postroom.testkit.contract;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** Five transactions that take one key, of which the first rolls back while the others wait for it. */
record Takers(StoreUnderTest store, Isolation level) {
    static final int WAITING = 4;

    /** Takes the key in a transaction. */
    interface Take<T> {
        T in(Tx tx) throws Exception;
    }

    /**
     * At each level at which the database lets a transaction see what was committed after its snapshot. On H2 not at READ
     * UNCOMMITTED: there its MERGE may try until LOCK_TIMEOUT though nobody has the key any more.
     */
    static Stream<Takers> atEachLevel(StoreUnderTest store) {
        return store.kind().isolationLevels().stream()
                .filter(level -> !store.kind().refusesKeysAfterSnapshot(level))
                .filter(level -> store.kind() != DatabaseUnderTest.Kind.H2 || level != Isolation.READ_UNCOMMITTED)
                .map(level -> new Takers(store, level));
    }

    /** What the four get who waited; none of them may fail. */
    <T> List<T> afterRollback(Take<T> take) throws Exception {
        Tx first = level.begin(store);
        take.in(first);
        try (Background background = new Background()) {
            List<Future<T>> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                waiting.add(background.run(() -> committed(take)));
            }
            store.awaitLockWaits(waiting);
            first.rollback();
            List<T> taken = new ArrayList<>();
            for (Future<T> one : waiting) {
                taken.add(one.get(30, SECONDS));
            }
            return taken;
        }
    }

    private <T> T committed(Take<T> take) throws Exception {
        try (Tx tx = level.begin(store).patient()) {
            T taken = take.in(tx);
            tx.commit();
            return taken;
        }
    }
}
