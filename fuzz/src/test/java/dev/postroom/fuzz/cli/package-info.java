/** Arguments of the command line. */
@NullMarked
package dev.postroom.fuzz.cli;

import org.jspecify.annotations.NullMarked;
