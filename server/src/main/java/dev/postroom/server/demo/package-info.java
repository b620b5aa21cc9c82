/**
 * A sample shop with everything that can go wrong: it publishes orders in the same transaction as it saves them, its
 * destinations fail now and then, and in the end what arrived is compared with what was saved.
 */
@NullMarked
package dev.postroom.server.demo;

import org.jspecify.annotations.NullMarked;
