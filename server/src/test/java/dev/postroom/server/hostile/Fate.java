package dev.postroom.server.hostile;

/** What has to become of a row. */
enum Fate {
    /** Delivered, and seen by the receiver. */
    ARRIVES,
    /** Delivered, but the receiver cannot unpack what it got. */
    LEAVES,
    /** Dead with a reason. */
    DIES,
    /** Due when time ends. */
    WAITS
}
