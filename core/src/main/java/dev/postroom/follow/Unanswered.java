package dev.postroom.follow;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Tries at a destination that ended without an answer: by a timeout, or with the connection. That may be the message's fault or the
 * destination's. It is the message's if something else was confirmed since the last such try. A message that is the only one there has
 * nothing to be compared with; it is given up in the end where its topic says so.
 */
final class Unanswered {
    private boolean confirmedSince;

    /** Since when messages have been tried in vain, with nothing confirmed there. */
    private final Map<UUID, Since> inVain = new HashMap<>();

    private record Since(Object stream, long nanos) {}

    /** Whose fault it is. */
    enum Blame {
        DESTINATION,
        MESSAGE,
        /** And it was tried for long enough. */
        MESSAGE_FOR_GOOD
    }

    Blame blame(Delivery delivery, long now) {
        if (confirmedSince) {
            confirmedSince = false;
            return Blame.MESSAGE;
        }
        UUID id = delivery.message().key().id();
        if (!areOfSeveralStreams()) {
            inVain.putIfAbsent(id, new Since(FailureRun.streamOf(delivery), now));
        }
        Since since = inVain.get(id);
        Duration limit = delivery.message().topic().expireAfter();
        if (since == null || limit == null || areOfSeveralStreams() || now - since.nanos < limit.toNanos()) {
            return Blame.DESTINATION;
        }
        inVain.remove(id);
        return Blame.MESSAGE_FOR_GOOD;
    }

    private boolean areOfSeveralStreams() {
        long streams = inVain.values().stream()
                .map(Since::stream)
                .distinct()
                .limit(FailureRun.STREAMS)
                .count();
        return streams == FailureRun.STREAMS;
    }

    void confirmed() {
        confirmedSince = true;
        inVain.clear();
    }
}
