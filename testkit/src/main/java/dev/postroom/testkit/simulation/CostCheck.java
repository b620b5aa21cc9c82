package dev.postroom.testkit.simulation;

import dev.postroom.operations.Change;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.testkit.simulation.database.Row;
import org.jspecify.annotations.Nullable;

/**
 * What is read is in proportion to what happens to messages, and not to how many wait: each time a row is written, fails, is
 * changed, or comes with its lane to another relay, it may be read a few times for each destination. And no statement brings
 * more rows than it was to.
 */
final class CostCheck implements Watcher {
    /** How often a row may be read for each destination and each thing that happens to it. */
    private static final int READS = 4;

    /** What a relay may read beyond that: rows at the end of a page that there was no room for. */
    private static final int SLACK = 400;

    private final World world;
    private long read;
    private long allowed = SLACK;

    CostCheck(World world) {
        this.world = world;
    }

    @Override
    public void followed(PageRequest request, PageAnswer answer) {
        if (!(answer instanceof PageAnswer.Page page)) {
            return;
        }
        int rows = page.late().size() + page.due().rows().size();
        for (PageAnswer.RangeRows range : page.ranges()) {
            rows += range.rows().size();
        }
        long most = request.lateLimit()
                + (long) request.due().lanes().size() * request.due().limit();
        for (PageRequest.Range range : request.ranges()) {
            most += range.limit();
        }
        requireBounded(rows, most);
        world.answered(rows);
        count(rows);
    }

    @Override
    public void read(int rows) {
        count(rows);
    }

    private void requireBounded(long rows, long most) {
        if (rows > most) {
            world.violated(new Violation(
                    Invariant.BOUNDED_READS,
                    null,
                    "a statement brought " + rows + " rows where " + most + " were asked for"));
        }
    }

    private void count(int rows) {
        read += rows;
    }

    @Override
    public void committed(Row row) {
        allow();
    }

    @Override
    public void failed(Row row, Failure failure, String owner) {
        allow();
    }

    @Override
    public void changed(Row row, Change change) {
        allow();
    }

    private void allow() {
        allowed += (long) READS * Scenario.DESTINATIONS.size();
    }

    /** Whoever takes a lane reads it from the beginning. */
    @Override
    public void acquired(int lane, String owner, @Nullable String before) {
        for (Row row : world.database.unsorted()) {
            if (row.key().lane() == lane) {
                allow();
            }
        }
    }

    /** So many rows were read. */
    long rowsRead() {
        return read;
    }

    @Override
    public void ended() {
        if (read > allowed) {
            world.violated(new Violation(
                    Invariant.COST, null, read + " rows were read where " + allowed + " would have been enough"));
        }
    }
}
