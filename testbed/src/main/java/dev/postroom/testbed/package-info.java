/** Starts the real servers that tests and benchmarks run against. */
@NullMarked
package dev.postroom.testbed;

import org.jspecify.annotations.NullMarked;
