/** MariaDB: whole statements, migrating, and the store that puts them together with what it shares with H2. */
@NullMarked
package dev.postroom.jdbc.internal.mariadb;

import org.jspecify.annotations.NullMarked;
