/**
 * What operators see and do, over JDBC. The statements are standard SQL wherever that is as good, and then stand beside
 * the code that runs them; what a database does its own way is in its {@link OperationsSql}.
 *
 * <p>Every transaction first asks the database for its time and passes it on as a parameter: one clock for all of its
 * statements, and no dialect of date arithmetic. Live rows always have the alias {@code m}, archived rows {@code a}, so
 * that conditions can be put together. Values are always bound, never written into the text.
 */
@NullMarked
package dev.postroom.jdbc.internal.operations;

import org.jspecify.annotations.NullMarked;
