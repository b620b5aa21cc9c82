package dev.postroom.follow;

/**
 * What a topic means for its messages.
 *
 * @param route bits of the destinations where they go; 0 when nobody takes them
 * @param holdsStream whether one that fails, or is put off, keeps later ones of its stream back (BLOCK; not SKIP)
 */
record Topic(String name, long route, boolean holdsStream) {}
