/** Words for people: durations, the nearest known name, text that is safe to print. */
@NullMarked
package dev.postroom.server.text;

import org.jspecify.annotations.NullMarked;
