/** How an in-memory database gets a clock that a test can set. No API. */
@NullMarked
package dev.postroom.testkit.internal;

import org.jspecify.annotations.NullMarked;
