/** The relay's decisions, by followers that stop and catch up. */
@NullMarked
package dev.postroom.follow;

import org.jspecify.annotations.NullMarked;
