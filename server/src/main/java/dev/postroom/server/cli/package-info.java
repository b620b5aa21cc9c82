/**
 * The commands, one file each. {@link dev.postroom.server.cli.PostroomCommandLine} puts them together;
 * {@link dev.postroom.server.cli.Root} holds what they share; a command reads its options, asks
 * {@link dev.postroom.operations.Operations} or the outbox, and prints a table or one JSON document.
 */
@NullMarked
package dev.postroom.server.cli;

import org.jspecify.annotations.NullMarked;
