/** The relay as the settings describe it, and how the process that runs it is stopped. */
@NullMarked
package dev.postroom.server.serve;

import org.jspecify.annotations.NullMarked;
