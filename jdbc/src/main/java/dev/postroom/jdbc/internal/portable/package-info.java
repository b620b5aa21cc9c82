/**
 * Writing, reading and settling for databases that cannot tell which rows committed late, see
 * {@link dev.postroom.spi.FollowReader}. What a statement says is each database's own ({@code WriteSql},
 * {@code FollowSql}, {@code SettleSql}); what is done with it is here. Durations in statements are microseconds and count
 * from the database's clock.
 */
@NullMarked
package dev.postroom.jdbc.internal.portable;

import org.jspecify.annotations.NullMarked;
