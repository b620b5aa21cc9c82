/** PostgreSQL: whole batches travel as arrays, and the reading rule rests on transaction ids and snapshots. */
@NullMarked
package dev.postroom.jdbc.internal.postgresql;

import org.jspecify.annotations.NullMarked;
