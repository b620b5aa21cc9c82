package dev.postroom.spi;

import java.util.UUID;

/**
 * Identifies one row of the live table. The id alone would do; lane and seq find it on the page where it was just read.
 * They are never enough without the id, because a sequence can repeat after a failover.
 */
public record RowKey(int lane, long seq, UUID id) {}
