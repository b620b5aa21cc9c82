package dev.postroom.testkit;

import static dev.postroom.testkit.PostroomAssertions.assertThat;
import static dev.postroom.testkit.PostroomAssertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R59")
class InMemoryDatabaseTest {
    private static final Instant NEW_YEAR = Instant.parse("2030-01-01T00:00:00Z");

    private static Instant ask(InMemoryDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    @Test
    void lives_by_the_tests_clock_tables_included() throws SQLException {
        ManualClock clock = ManualClock.standingStillAt(NEW_YEAR);
        try (InMemoryDatabase database = InMemoryDatabase.create(clock)) {
            assertThat(ask(database, "select current_timestamp")).isEqualTo(NEW_YEAR);
            clock.advance(Duration.ofHours(1));
            Outbox.on(database.dataSource()).publishInOwnTransaction(Message.to("t"));
            Instant anHourLater = NEW_YEAR.plus(Duration.ofHours(1));
            assertThat(ask(database, "SELECT CURRENT_TIMESTAMP(6)")).isEqualTo(anHourLater);
            assertThat(ask(database, "SELECT created_at FROM postroom_message")).isEqualTo(anHourLater);
            assertThat(clock.instant()).isEqualTo(anHourLater);
        }
    }

    @Test
    void is_nobody_elses() {
        try (InMemoryDatabase one = InMemoryDatabase.create();
                InMemoryDatabase other = InMemoryDatabase.create()) {
            Outbox.on(one.dataSource()).publishInOwnTransaction(Message.to("t"));
            assertThat(Outbox.on(one.dataSource())).publishedExactly(1);
            assertThat(Outbox.on(other.dataSource())).nothingPublished();
        }
    }

    @Test
    void is_gone_when_it_is_closed() {
        InMemoryDatabase database = InMemoryDatabase.create();
        Outbox outbox = Outbox.on(database.dataSource());
        database.close();
        database.close();
        assertThatThrownBy(() -> outbox.publishInOwnTransaction(Message.to("t")))
                .isInstanceOf(PostroomException.class);
    }

    @Test
    void clock_goes_forward_only() {
        ManualClock clock = ManualClock.standingStillAt(NEW_YEAR);
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("PT-1S");
        assertThat(clock.withZone(java.time.ZoneId.of("Asia/Tokyo")).instant()).isEqualTo(NEW_YEAR);
    }
}
