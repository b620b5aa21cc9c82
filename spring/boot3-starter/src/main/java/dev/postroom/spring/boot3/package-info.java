/** What only Spring Boot 3 has: its health. */
@NullMarked
package dev.postroom.spring.boot3;

import org.jspecify.annotations.NullMarked;
