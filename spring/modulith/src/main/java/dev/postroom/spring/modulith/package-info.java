/** Events that a Spring Modulith application externalizes, written to the outbox. */
@NullMarked
package dev.postroom.spring.modulith;

import org.jspecify.annotations.NullMarked;
