/** Looks an installation over and says what is wrong and what to do about it. */
@NullMarked
package dev.postroom.server.doctor;

import org.jspecify.annotations.NullMarked;
