package dev.postroom.follow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells a destination that fails everything, or everything of one type, from messages that fail. It is held after so many failures in a
 * row of several streams; or earlier, when one of these messages is about to die of attempts of which none was answered while anything
 * was confirmed there.
 */
final class FailureRuns {
    /** Types that are told apart; the failures of others count for the destination only. */
    private static final int MOST_TYPES = 1_000;

    private final int limit;
    private final FailureRun all = new FailureRun();
    private final Set<String> typesOfAll = new HashSet<>();
    private final Map<String, FailureRun> byType = new HashMap<>();
    private boolean everConfirmed;

    /** What a failure says about the receiver. */
    enum Verdict {
        /** Nothing: the message has failed. */
        MESSAGE,
        /** It fails everything of the message's type. */
        TYPE,
        /** It fails everything. */
        DESTINATION
    }

    /** @param limit how many failures in a row; 0: however many, they are the messages' own */
    FailureRuns(int limit) {
        this.limit = limit;
    }

    void confirmed(Message message) {
        everConfirmed = true;
        all.clear();
        typesOfAll.clear();
        if (!byType.isEmpty()) {
            byType.remove(message.type());
        }
    }

    /** One was tried of what is held, and has failed. */
    void stillFails(Delivery delivery) {
        all.fails(delivery);
        noteType(delivery.message());
        FailureRun ofType = byType.get(delivery.message().type());
        if (ofType != null) {
            ofType.fails(delivery);
        }
    }

    private void noteType(Message message) {
        if (typesOfAll.size() < 2) {
            typesOfAll.add(message.type());
        }
    }

    /**
     * A message has failed.
     *
     * @param attempts how many it has seen with this one
     * @param isLast whether it dies of having no more; not for a failure that would end its life at once
     */
    Verdict failed(Delivery delivery, int attempts, boolean isLast) {
        if (limit == 0) {
            return Verdict.MESSAGE;
        }
        Message message = delivery.message();
        all.add(delivery);
        noteType(message);
        // An earlier relay has tried it, and may have been told nothing else either.
        boolean unknownBefore = !everConfirmed;
        if (typesOfAll.size() > 1 && isOutage(all, message, attempts, isLast, unknownBefore)) {
            return Verdict.DESTINATION;
        }
        FailureRun ofType = byType.get(message.type());
        if (ofType == null && byType.size() < MOST_TYPES) {
            ofType = new FailureRun();
            byType.put(message.type(), ofType);
        }
        if (ofType == null) {
            return isOutage(all, message, attempts, isLast, unknownBefore) ? Verdict.DESTINATION : Verdict.MESSAGE;
        }
        ofType.add(delivery);
        return isOutage(ofType, message, attempts, isLast, unknownBefore) ? Verdict.TYPE : Verdict.MESSAGE;
    }

    private boolean isOutage(FailureRun run, Message message, int attempts, boolean isLast, boolean unknownBefore) {
        boolean isLong = run.length() >= limit;
        boolean wouldKill = isLast && (unknownBefore || run.hasAllOf(message, attempts));
        return run.isOfSeveralStreams() && (isLong || wouldKill);
    }

    /** How many failures in a row there were. */
    int length() {
        return all.length();
    }

    /** As {@link #length()}, of one type. */
    int length(String type) {
        FailureRun run = byType.get(type);
        return run == null ? 0 : run.length();
    }

    /** Somebody says that it is well: it may fail as often again. What its messages have spent before is not forgotten. */
    void beginAgain() {
        all.beginAgain();
        byType.values().forEach(FailureRun::beginAgain);
    }
}
