/** What a command prints: a table for people, or one JSON document for programs. */
@NullMarked
package dev.postroom.server.output;

import org.jspecify.annotations.NullMarked;
