package dev.postroom.testkit.simulation.database;

import dev.postroom.operations.Change;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Suspect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hears of every change at the instant it happens. */
public interface DatabaseObserver {
    /** For those who do not listen. */
    DatabaseObserver NONE = new DatabaseObserver() {};

    /** A row can be seen from now on. */
    default void committed(Row row) {}

    /** A row was delivered to its whole route and left. */
    default void processed(Row row, String owner) {}

    /** A failure was written; the row is as it stands afterwards. */
    default void failed(Row row, Failure failure, String owner) {}

    /** A crash is counted, or taken back; the row is as it stood before. */
    default void suspected(Row row, Suspect suspect, String owner) {}

    /** An operator changed the row; after SKIP and DELETE it has left. */
    default void changed(Row row, Change change) {}

    /** A row was put back from the archive, for one destination; it is committed next. */
    default void replayed(Row row) {}

    /** Another server took over, which has never seen the row. */
    default void lost(Row row) {}

    /** Another server took over, for which the row has not left. */
    default void returned(Row row) {}

    /** Another server took over, for which the row is as it was before. */
    default void reverted(Row row) {}

    /** A lane has a new owner. */
    default void acquired(int lane, String owner, @Nullable String before) {}

    /** A relay has looked which relays live. */
    default void looked(List<LaneStore.LiveNode> nodes) {}

    /** A lane was given back. */
    default void released(int lane, String owner) {}
}
