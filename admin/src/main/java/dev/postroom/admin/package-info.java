/**
 * Operating an outbox over HTTP. {@link dev.postroom.admin.Admin} makes the routes for Spring MVC (6.2 and 7) from a
 * store; {@link dev.postroom.admin.Access} says who asks and what they may do. Everything goes through
 * {@link dev.postroom.operations.Operations}: there is no second way to the tables.
 */
@NullMarked
package dev.postroom.admin;

import org.jspecify.annotations.NullMarked;
