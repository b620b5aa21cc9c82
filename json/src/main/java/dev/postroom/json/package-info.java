/** Turns objects into JSON payloads and back, with Jackson. */
@NullMarked
package dev.postroom.json;

import org.jspecify.annotations.NullMarked;
