/** The standalone relay and its command line. */
@NullMarked
package dev.postroom.server;

import org.jspecify.annotations.NullMarked;
