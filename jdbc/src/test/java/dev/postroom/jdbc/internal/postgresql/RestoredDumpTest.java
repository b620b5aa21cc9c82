package dev.postroom.jdbc.internal.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dump that is loaded into another cluster brings numbers of transactions along that this cluster did not give. */
@Tag("R62")
@Tag("I1")
class RestoredDumpTest {
    private static final int ROWS = 40;

    private final TestDatabase before = Postgres.debian().freshDatabase();
    private final TestDatabase after = Postgres.newest().freshDatabase();
    private final PlanRecorder recorder = new PlanRecorder(after.dataSource());
    private final long[] positions = new long[LaneStore.LANES];
    private @Nullable Mark mark;

    @Test
    void rows_of_another_cluster_are_found_once_and_not_at_every_read(@TempDir Path folder) throws Exception {
        List<UUID> written = write();
        restore(folder.resolve("dump.sql"));
        Store store = Store.open(recorder.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        store.schema().checkLanes();

        try (FollowReader reader = store.openFollowReader(Owing.EVERYWHERE)) {
            assertThat(read(reader)).containsExactlyInAnyOrderElementsOf(written);
            for (int reads = 0; reads < 5; reads++) {
                recorder.take();
                Published fresh = Outbox.on(after.dataSource())
                        .publishInOwnTransaction(Message.to("orders").key("fresh"));
                List<UUID> found = new ArrayList<>(read(reader));
                found.addAll(read(reader)); // its number is reached by the read after the one that first knows of it
                assertThat(found).containsExactly(fresh.id());
                assertThat(recorder.take())
                        .hasSizeGreaterThanOrEqualTo(2)
                        .allSatisfy(notice -> assertThat(Plan.parse(notice).tableRowsLookedAt())
                                .isLessThan(ROWS / 4));
            }
        }
    }

    /** Half of them as written by a transaction that is far ahead of any that the other cluster has given. */
    private List<UUID> write() throws SQLException {
        Store.open(before.dataSource(), TableNames.DEFAULT).schema().migrate();
        List<UUID> written = new ArrayList<>();
        for (int n = 0; n < ROWS; n++) {
            Message message = Message.to("orders").key("k" + n % 3).text("text/plain", "n" + n);
            written.add(Outbox.on(before.dataSource())
                    .publishInOwnTransaction(message)
                    .id());
        }
        execute(before, "UPDATE postroom_message SET tx = tx + 1000000000 WHERE seq > " + ROWS / 2);
        return written;
    }

    private void restore(Path dump) throws IOException, InterruptedException {
        run(before, "pg_dump", "--no-owner", "--file=" + dump);
        assertThat(Files.size(dump)).isPositive();
        run(after, "psql", "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--output=/dev/null", "--file=" + dump);
    }

    private static void run(TestDatabase database, String program, String... options)
            throws IOException, InterruptedException {
        URI address = URI.create(database.url().substring("jdbc:".length()));
        List<String> command = new ArrayList<>(List.of(
                program,
                "--host=" + address.getHost(),
                "--port=" + address.getPort(),
                "--username=" + database.username(),
                "--dbname=" + address.getPath().substring(1)));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("PGPASSWORD", database.password());
        Process process = builder.start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("exit code of %s", program).isZero();
    }

    /** New rows; what is found again would come again here. */
    private List<UUID> read(FollowReader reader) {
        List<Range> ranges = new ArrayList<>();
        List<Reach> reaches = new ArrayList<>();
        IntStream.range(0, positions.length).forEach(lane -> {
            ranges.add(new Range(lane, positions[lane], Long.MAX_VALUE, ROWS));
            reaches.add(new Reach(lane, positions[lane]));
        });
        ReadBounds bounds = new ReadBounds(RowLimits.ofPayload(1 << 20), 16 << 20);
        Page page = (Page) reader.read(new PageRequest(mark, reaches, ranges, 1_000, Due.NONE, Sweep.NONE, bounds));
        mark = page.next();
        page.ranges().forEach(range -> positions[range.range().lane()] = range.end());
        List<FollowedMessage> rows = new ArrayList<>(page.late());
        page.ranges().forEach(range -> rows.addAll(range.rows()));
        return rows.stream().map(row -> row.key().id()).toList();
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
