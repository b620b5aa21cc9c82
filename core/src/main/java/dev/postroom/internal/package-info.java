/** Parts of core that no other module may use. */
@NullMarked
package dev.postroom.internal;

import org.jspecify.annotations.NullMarked;
