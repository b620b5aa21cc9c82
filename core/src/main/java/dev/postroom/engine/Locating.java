package dev.postroom.engine;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import org.jspecify.annotations.Nullable;

/** An engine that can say where a row is: a row that is owed and nowhere is lost. For the simulator, which asks after every turn. */
public interface Locating {

    /** Where this row, as the database has it now, is for a destination that it is owed to; cheap, and changes nothing. */
    Whereabouts whereIs(FollowedMessage row, String destination);

    /** The mark of the latest page that was taken in: what that does not see is still to come. Null before the first. */
    FollowReader.@Nullable Mark mark();

    /** Where a row can be. */
    enum Whereabouts {
        /** Its lane is not this engine's. */
        NOT_OURS,
        /** A follower that it belongs to has not reached it. */
        AHEAD,
        /** Its stream is behind at this destination. */
        BEHIND,
        /** In memory, or settled so recently that a read may bring it back. */
        IN_MEMORY,
        /** Due, and noted as missed. */
        MISSED,
        /** Beyond the position up to which due rows were read. */
        NOT_YET_DUE,
        /** None of these. */
        NOWHERE
    }
}
