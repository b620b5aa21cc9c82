/** H2: whole statements, migrating, and the store that puts them together with what it shares with MariaDB. */
@NullMarked
package dev.postroom.jdbc.internal.h2;

import org.jspecify.annotations.NullMarked;
