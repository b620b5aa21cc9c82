package dev.postroom.server.hostile;

/** What has to become of a row. */
enum Fate {
    /** Delivered, and seen by the receiver. */
    ARRIVES,
    /** Dead with a reason. */
    DIES,
    /** Due when time ends. */
    WAITS
}
