package dev.postroom.operations;

import org.jspecify.annotations.Nullable;

/**
 * A destination that some relay has used or somebody paused.
 *
 * @param pause the pause of this destination itself, or null
 */
public record DestinationItem(String name, @Nullable Pause pause) {}
