package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.jdbc.internal.follow.FollowRows;
import dev.postroom.jdbc.internal.follow.FoundRow;
import dev.postroom.jdbc.internal.follow.HolderRows;
import dev.postroom.jdbc.internal.follow.Preceding;
import dev.postroom.jdbc.internal.follow.RowSource;
import dev.postroom.jdbc.internal.follow.RowWeight;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.SweptRow;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statements that follow a read, on its connection.
 *
 * @param swept all READY rows at or below what the page's ranges begin after, where they are known; else they are asked for
 */
record PortableRowSource(
        Connection connection,
        Texts texts,
        FollowRows rows,
        Owing owing,
        @Nullable List<SweptRow> swept) implements RowSource {
    /** Values in one statement. */
    private static final int CHUNK = 128;

    /** The texts of a reader, kept. */
    record Texts(SizedSql holders, SizedSql earlier, SizedSql load) {
        Texts(FollowSql sql, SqlNames names) {
            this(new SizedSql(names, sql::holders), new SizedSql(names, sql::earlier), new SizedSql(names, sql::load));
        }
    }

    @Override
    public HolderRows holders(Collection<Long> streams) throws SQLException {
        HolderRows holders = new HolderRows(owing);
        List<Long> all = List.copyOf(streams);
        for (int from = 0; from < all.size(); from += CHUNK) {
            List<Long> some = all.subList(from, Math.min(all.size(), from + CHUNK));
            try (PreparedStatement statement =
                    connection.prepareStatement(texts.holders().of(some.size()))) {
                new Values(statement).numbers(some, some.size());
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        holders.add(row.getLong(1), row.getLong(2), row.getString(3), row.getString(4), row.getLong(5));
                    }
                }
            }
        }
        return holders;
    }

    @Override
    public Map<UUID, StoredMessage> load(List<RowKey> keys, ReadBounds bounds) throws SQLException {
        Map<UUID, StoredMessage> loaded = new HashMap<>();
        try (PreparedStatement statement =
                connection.prepareStatement(texts.load().atLeast(keys.size()))) {
            PortableFollowReader.weight(new Values(statement), RowWeight.whole(bounds))
                    .numbers(keys.stream().map(RowKey::seq).toList());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    FoundRow found = rows.map(row, bounds);
                    loaded.put(found.key().id(), found.message());
                }
            }
        }
        return loaded;
    }

    @Override
    public List<Before> before(List<FoundRow> part, Preceding preceding) throws SQLException {
        EarlierReady earlier = new EarlierReady(owing, part, preceding);
        if (swept != null && preceding == Preceding.FIRST_OF_STREAM) {
            earlier.among(swept);
        } else {
            List<EarlierReady.Question> questions = new ArrayList<>(earlier.questions());
            for (int from = 0; from < questions.size(); from += CHUNK) {
                ask(questions.subList(from, Math.min(questions.size(), from + CHUNK)));
            }
        }
        return earlier.answers();
    }

    private void ask(List<EarlierReady.Question> questions) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(texts.earlier().atLeast(questions.size()))) {
            Values values = new Values(statement);
            for (int n = 0; n < SizedSql.padded(questions.size()); n++) {
                EarlierReady.Question question = questions.get(Math.min(n, questions.size() - 1));
                values.number(n)
                        .number(question.stream())
                        .number(question.seq())
                        .number(n < questions.size() ? EarlierReady.MOST : 0);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    questions
                            .get(row.getInt(1))
                            .found(row.getLong(2), row.getString(3), row.getString(4), row.getLong(5));
                }
            }
        }
    }
}
