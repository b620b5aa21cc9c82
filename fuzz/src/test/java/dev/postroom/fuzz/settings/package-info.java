/** Settings as files, variables and properties. */
@NullMarked
package dev.postroom.fuzz.settings;

import org.jspecify.annotations.NullMarked;
