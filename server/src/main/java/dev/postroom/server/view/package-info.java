/** What only commands print as JSON; what REST answers too is in {@code dev.postroom.admin.view}. */
@NullMarked
package dev.postroom.server.view;

import org.jspecify.annotations.NullMarked;
