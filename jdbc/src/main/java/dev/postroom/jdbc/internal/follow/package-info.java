/** What the databases' readers for followers share: bounded answers, holders by destination, contents that are loaded apart. */
@NullMarked
package dev.postroom.jdbc.internal.follow;

import org.jspecify.annotations.NullMarked;
