package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.DeliveryFacts.HeldBy;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.OwedDestinations;
import dev.postroom.operations.RoutingItem;
import dev.postroom.spi.RowState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earlier message of its stream that a live one waits for, whatever the topics: one that still has to go to a destination of
 * its own. The first few are looked at.
 */
final class EarlierMessages {
    /** With so many holders before it, a message is taken to wait for the first, as relays do. */
    private static final int MOST = 8;

    private static final String COLUMNS = """
            m.id, m.seq, m.topic, m.state, m.only_destination, m.completed, m.error, {headers}
            """.replace("{headers}", MessageHeaders.listed("m"));

    private final OperationsSql sql;

    EarlierMessages(OperationsSql sql) {
        this.sql = sql;
    }

    private record Earlier(HeldBy message, OwedDestinations owed) {}

    /** The first holder, or when there is none, the first that is ready; null for nobody. */
    @Nullable
    HeldBy first(Statements statements, MessageDetails.Row row, @Nullable RoutingItem inForce) throws SQLException {
        if (row.item().stream().key() == null || row.released() || row.item().status() == MessageStatus.DEAD) {
            return null;
        }
        Search search = new Search(statements, row, inForce);
        HeldBy holder = row.held() ? search.holder() : null;
        boolean isSendable =
                row.item().status() == MessageStatus.PENDING || row.item().status() == MessageStatus.BLOCKED;
        return holder == null && isSendable ? search.ready() : holder;
    }

    /** For one message. */
    private final class Search {
        private final Statements statements;
        private final MessageDetails.Row row;
        private final @Nullable RoutingItem inForce;
        private final Completed completed;
        private final OwedDestinations own;

        Search(Statements statements, MessageDetails.Row row, @Nullable RoutingItem inForce) throws SQLException {
            this.statements = statements;
            this.row = row;
            this.inForce = inForce;
            this.completed = Completed.read(statements);
            this.own = owed(row.item().stream().topic(), row.onlyDestination(), row.completed());
        }

        private OwedDestinations owed(String topic, @Nullable String onlyDestination, long reached) {
            return OwedDestinations.of(inForce, topic, onlyDestination, completed.set(reached));
        }

        @Nullable
        HeldBy holder() throws SQLException {
            List<Earlier> holders = among(sql.holders(COLUMNS));
            HeldBy met = met(holders);
            return met == null && holders.size() == MOST && !own.isNowhere() ? holders.get(0).message : met;
        }

        @Nullable
        HeldBy ready() throws SQLException {
            return met(among(sql.ready(COLUMNS)));
        }

        private @Nullable HeldBy met(List<Earlier> earlier) {
            return earlier.stream()
                    .filter(each -> each.owed.meet(own))
                    .findFirst()
                    .map(Earlier::message)
                    .orElse(null);
        }

        private List<Earlier> among(String select) throws SQLException {
            String tenant = row.item().stream().tenant();
            String key = Objects.requireNonNull(row.item().stream().key());
            Where where = new Where()
                    .and(sql.nearHolders(), tenant, key)
                    .and("m.tenant = ? AND m.ordering_key = ?", tenant, key)
                    .and("m.seq < ?", row.item().seq());
            return statements.all(where.in(select) + " LIMIT ?", where.values(MOST), this::earlier);
        }

        private Earlier earlier(ResultSet found) throws SQLException {
            String topic = found.getString("topic");
            OwedDestinations owed = owed(topic, found.getString("only_destination"), found.getLong("completed"));
            return new Earlier(
                    new HeldBy(
                            MessageItems.id(found, "id"),
                            topic,
                            status(RowState.of(found.getInt("state"))),
                            owed.shared(own),
                            found.getString("error"),
                            MessageHeaders.read(found)),
                    owed);
        }
    }

    private static MessageStatus status(RowState state) {
        return switch (state) {
            case READY -> MessageStatus.PENDING;
            case DEAD -> MessageStatus.DEAD;
            case DELAYED, WAITING -> MessageStatus.FAILED;
        };
    }
}
