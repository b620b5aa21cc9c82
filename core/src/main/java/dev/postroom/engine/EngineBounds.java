package dev.postroom.engine;

import dev.postroom.PostroomException;

/**
 * How much an engine keeps and asks for at once, beyond what users set. Tests make them small enough that a few messages
 * meet each.
 *
 * @param streamShare messages of one stream in memory at most; more are read when a quarter of them is left
 * @param behindStreams streams per engine that are remembered because they left something behind
 * @param parts followers per lane and destination, beside the one that follows everything
 * @param probes messages of different streams that a closed destination keeps to be tried with
 * @param lateRows rows of late transactions per read
 * @param dueRows rows per read that are due
 * @param sweptKeys keys per read behind the followers
 * @param streamsPerRead streams that are read in one statement
 * @param holdersPerRead streams whose holders are asked for in one statement
 */
public record EngineBounds(
        int streamShare,
        int behindStreams,
        int parts,
        int probes,
        int lateRows,
        int dueRows,
        int sweptKeys,
        int streamsPerRead,
        int holdersPerRead) {

    /** Those of every relay. */
    public static final EngineBounds DEFAULT = new EngineBounds(64, 1_000_000, 8, 8, 2_000, 2_000, 500, 100, 1_000);

    public EngineBounds {
        require(streamShare, "streamShare");
        require(behindStreams, "behindStreams");
        require(parts, "parts");
        require(probes, "probes");
        require(lateRows, "lateRows");
        require(dueRows, "dueRows");
        require(sweptKeys, "sweptKeys");
        require(streamsPerRead, "streamsPerRead");
        require(holdersPerRead, "holdersPerRead");
    }

    private static void require(int bound, String name) {
        if (bound < 1) {
            throw new PostroomException("the bound " + name + " must be at least 1 (was " + bound + "): change it");
        }
    }
}
