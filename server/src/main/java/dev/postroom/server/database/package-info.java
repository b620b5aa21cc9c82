/** The way to the configured database: connections for short commands, and what to say when there is none. */
@NullMarked
package dev.postroom.server.database;

import org.jspecify.annotations.NullMarked;
