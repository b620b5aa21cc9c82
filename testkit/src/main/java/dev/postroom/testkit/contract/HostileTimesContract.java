package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Stats;
import dev.postroom.spi.StoredMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another writer's times may be any that the column takes: they are read as the nearest that a calendar has. */
@Tag("R60")
public abstract class HostileTimesContract extends StoreContract {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final String BEFORE_ALL = "-1000000000-01-01 00:00:00";
    private static final String AFTER_ALL = "1000000000-12-31 23:59:59";

    /** Times before all that is meant, as the database writes them. */
    private List<String> ancient() {
        return switch (store.kind()) {
            case POSTGRESQL -> List.of("'-infinity'", "'4713-01-01 00:00:00 BC'", "'0001-01-01'", "'1582-10-10'");
            case MARIADB -> List.of("'0000-00-00 00:00:00'", "'0001-01-01 00:00:00'", "'1969-12-31 23:59:59'");
            case H2 -> List.of(zoned(BEFORE_ALL), zoned("-4713-01-01 00:00:00"), zoned("0001-01-01 00:00:00"));
        };
    }

    /** Times that never come. */
    private List<String> distant() {
        return switch (store.kind()) {
            case POSTGRESQL -> List.of("'infinity'", "'294276-12-31 23:59:59'");
            case MARIADB -> List.of("'9999-12-31 23:59:59.999999'");
            case H2 -> List.of(zoned(AFTER_ALL), zoned("300000000-01-01 00:00:00"));
        };
    }

    /** Days that no month has, which MariaDB takes. */
    private List<String> noDays() {
        return store.kind() == DatabaseUnderTest.Kind.MARIADB
                ? List.of("'2020-00-00 00:00:00'", "'2020-02-00 00:00:00'")
                : List.of();
    }

    private static String zoned(String time) {
        return "TIMESTAMP WITH TIME ZONE '" + time + "+00'";
    }

    @Test
    void what_was_due_before_the_calendar_begins_is_due_and_each_is_read_once() {
        List<UUID> written = new ArrayList<>();
        for (int round = 0; round < 5; round++) {
            for (String time : ancient()) {
                written.add(insert("available_at", time));
            }
        }
        DueReader due = new DueReader(store).limitPerLane(2);
        List<StoredMessage> rows = due.readAll();
        assertThat(ids(rows)).containsExactlyInAnyOrderElementsOf(written);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.due()).isEqualTo(EARLIEST);
            assertThat(row.defect()).isNull();
        });
    }

    @Test
    void what_is_due_after_the_calendar_ends_is_scheduled_for_its_end() {
        for (String time : distant()) {
            UUID id = insert("available_at", time);
            assertThat(new DueReader(store).readAll()).isEmpty();
            MessageDetail detail = operator().find(id).orElseThrow();
            assertThat(detail.item().status()).isEqualTo(MessageStatus.SCHEDULED);
            assertThat(detail.item().availableAt()).isEqualTo(LATEST);
            assertThat(detail.whyNotSent().get(0)).contains("9999-12-31");
        }
    }

    @Test
    void whoever_publishes_may_name_any_time() {
        publish(
                Message.to("orders").deliverAt(Instant.MAX),
                Message.to("orders").deliverAfter(ChronoUnit.FOREVER.getDuration()));
        Published past = publish(Message.to("orders").deliverAt(Instant.MIN));
        assertThat(ids(new DueReader(store).readAll())).containsExactly(past.id());
        assertThat(operator().stats().scheduled()).isEqualTo(2);
    }

    @Test
    void a_day_that_no_month_has_is_due() {
        List<UUID> written =
                noDays().stream().map(time -> insert("available_at", time)).toList();
        assertThat(ids(new DueReader(store).readAll())).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void a_time_of_writing_outside_the_calendar_is_read_as_its_nearest_end() {
        ancient().forEach(time -> insert("created_at", time));
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSameSizeAs(ancient());
        assertThat(rows).extracting(StoredMessage::createdAt).containsOnly(EARLIEST);
        execute("DELETE FROM postroom_message");
        distant().forEach(time -> insert("created_at", time));
        assertThat(reader().readAll())
                .hasSameSizeAs(distant())
                .extracting(StoredMessage::createdAt)
                .containsOnly(LATEST);
    }

    @Test
    void operators_see_all_of_them_beside_the_others() {
        List<UUID> written = new ArrayList<>();
        List<String> times = new ArrayList<>(ancient());
        times.addAll(distant());
        times.addAll(noDays());
        for (String time : times) {
            written.add(insert("available_at", time));
            written.add(insert("created_at", time));
        }
        Operations operations = operator();
        Stats stats = operations.stats();
        assertThat(stats.backlog()).isEqualTo(written.size());
        assertThat(stats.scheduled()).isEqualTo(distant().size());
        assertThat(stats.oldestAgeSeconds()).isFinite().isPositive();
        assertThat(stats.latestDue()).isEqualTo(LATEST);
        assertThat(operations.gauges(3).stats().backlog()).isEqualTo(written.size());
        assertThat(operations.list(MessageFilter.ALL, 0, 100).items())
                .extracting(item -> item.id())
                .containsExactlyInAnyOrderElementsOf(written);
        written.forEach(
                id -> assertThat(operations.find(id).orElseThrow().whyNotSent()).isNotEmpty());
    }

    private UUID insert(String column, String time) {
        UUID id = UUID.randomUUID();
        execute(
                "INSERT INTO postroom_message (id, topic, ordering_key, " + column + ", payload) VALUES ('" + id
                        + "', 'orders', 'k', " + time + ", ?)",
                (Object) new byte[0]);
        return id;
    }
}
