package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.OperationsStore;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageWriter;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import javax.sql.DataSource;

/** An outbox in PostgreSQL. */
public final class PostgresStore implements Store {
    private final String description;

    public PostgresStore(DataSource dataSource, SqlNames names, String description) {
        this.description = description;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public MessageWriter writer() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Schema schema() {
        throw new UnsupportedOperationException();
    }

    @Override
    public OperationsStore operations() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Maintenance maintenance() {
        throw new UnsupportedOperationException();
    }

    @Override
    public MessageReader openReader() {
        throw new UnsupportedOperationException();
    }

    @Override
    public MessageSettler openSettler() {
        throw new UnsupportedOperationException();
    }

    @Override
    public LaneStore openLanes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkWritable() {}
}
