/** Turns objects into JSON payloads and back, with Jackson 3. */
@NullMarked
package dev.postroom.json3;

import org.jspecify.annotations.NullMarked;
