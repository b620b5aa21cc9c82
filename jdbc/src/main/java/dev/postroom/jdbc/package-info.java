/** Stores over JDBC for PostgreSQL, MariaDB and H2; found by core with a service loader. */
@NullMarked
package dev.postroom.jdbc;

import org.jspecify.annotations.NullMarked;
