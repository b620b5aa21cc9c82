package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.MessageReader.Mark;
import dev.postroom.spi.MessageReader.ReadRequest;
import dev.postroom.spi.RowKey;
import java.util.List;

/** How a read finds what committed behind its cursors. */
interface ReadingRule {

    Behind behind(ReadRequest request);

    /** The nearest earlier READY row of the row's stream, or -1. */
    long earlierSeq(Row row);

    /** What lies behind the cursors: late rows, or keys among which they are. */
    record Behind(List<Row> late, List<RowKey> passed, Mark next) {}
}
