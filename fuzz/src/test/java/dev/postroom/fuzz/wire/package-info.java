/** What brokers and receivers hand over, and what goes to them. */
@NullMarked
package dev.postroom.fuzz.wire;

import org.jspecify.annotations.NullMarked;
