package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.follow.FoundRow;
import dev.postroom.jdbc.internal.follow.Preceding;
import dev.postroom.jdbc.internal.follow.RowSource.Before;
import dev.postroom.spi.FollowedMessage.Earlier;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.SweptRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the nearest earlier READY row of the stream for each destination that a row is owed to. */
final class EarlierReady {
    /** Rows looked at for one question. Destinations that none of them goes to are answered with: unknown. */
    static final int MOST = 16;

    private final Owing owing;
    private final List<FoundRow> part;
    private final boolean eachRow;
    private final Map<Long, Question> streams = new HashMap<>();
    private final List<Question> questions = new ArrayList<>();
    private final List<@Nullable Question> ofRows = new ArrayList<>();

    EarlierReady(Owing owing, List<FoundRow> part, Preceding preceding) {
        this.owing = owing;
        this.part = part;
        this.eachRow = preceding == Preceding.EACH_ROW;
        for (FoundRow row : part) {
            ofRows.add(preceding != Preceding.NOTHING && row.message().stream().isOrdered() ? question(row) : null);
        }
    }

    private Question question(FoundRow row) {
        Question known = eachRow ? null : streams.get(row.stream());
        if (known != null) {
            return known;
        }
        Question asked = new Question(row.stream(), row.seq(), new ArrayList<>());
        streams.put(row.stream(), asked);
        questions.add(asked);
        return asked;
    }

    /** What stands before this number of this stream, the nearest first. */
    record Question(long stream, long seq, List<Ready> nearest) {
        void found(long readySeq, String topic, @Nullable String onlyDestination, long completed) {
            nearest.add(new Ready(readySeq, topic, onlyDestination, completed));
        }
    }

    private record Ready(long seq, String topic, @Nullable String onlyDestination, long completed) {}

    Collection<Question> questions() {
        return questions;
    }

    /** Answers from all rows that there are. */
    void among(List<SweptRow> all) {
        for (int n = all.size() - 1; n >= 0; n--) { // a stream is in one lane, whose rows come by seq
            SweptRow row = all.get(n);
            Question question = streams.get(row.streamId());
            if (question != null
                    && row.stream().isOrdered()
                    && row.key().seq() < question.seq()
                    && question.nearest().size() < MOST) {
                question.found(row.key().seq(), row.stream().topic(), row.onlyDestination(), row.completed());
            }
        }
    }

    List<Before> answers() {
        Map<Long, Long> covered = new HashMap<>();
        List<Before> answers = new ArrayList<>(part.size());
        for (int n = 0; n < part.size(); n++) {
            Question question = ofRows.get(n);
            FoundRow row = part.get(n);
            if (question == null || row.message().progress().released()) {
                answers.add(Before.NOTHING);
                continue;
            }
            long owed = owed(
                    row.message().stream().topic(),
                    row.message().progress().onlyDestination(),
                    row.message().progress().completed());
            long before = eachRow ? 0 : covered.getOrDefault(row.stream(), 0L);
            answers.add(before(question, owed & ~before));
            covered.merge(row.stream(), owed, (one, other) -> one | other);
        }
        return answers;
    }

    private Before before(Question question, long wanted) {
        long left = wanted;
        List<Earlier> earlier = new ArrayList<>();
        for (Ready ready : question.nearest()) {
            long mine = left & owed(ready.topic(), ready.onlyDestination(), ready.completed());
            if (mine != 0) {
                earlier.add(new Earlier(ready.seq(), mine));
                left &= ~mine;
            }
        }
        return new Before(earlier, question.nearest().size() < MOST ? 0 : left);
    }

    private long owed(String topic, @Nullable String onlyDestination, long completed) {
        return owing.destinations(topic, onlyDestination) & ~completed;
    }
}
