/**
 * Writing, reading and settling for databases that cannot tell which rows committed late, see
 * {@link dev.postroom.spi.MessageReader}. What a statement says is each database's own
 * ({@link dev.postroom.jdbc.internal.portable.PortableSql}); what is done with it is here.
 */
@NullMarked
package dev.postroom.jdbc.internal.portable;

import org.jspecify.annotations.NullMarked;
