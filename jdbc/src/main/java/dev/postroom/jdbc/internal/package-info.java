/** What all databases share: naming, sessions, row mapping, migrating. */
@NullMarked
package dev.postroom.jdbc.internal;

import org.jspecify.annotations.NullMarked;
