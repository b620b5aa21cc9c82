/** Delivery to functions in this process: {@link dev.postroom.handler.Handlers} is a transport like any other. */
@NullMarked
package dev.postroom.handler;

import org.jspecify.annotations.NullMarked;
