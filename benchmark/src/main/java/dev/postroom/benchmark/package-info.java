/** Measures Postroom, and puts it under faults. */
@NullMarked
package dev.postroom.benchmark;

import org.jspecify.annotations.NullMarked;
