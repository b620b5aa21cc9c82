/** What only Spring Boot 4 has: its health. */
@NullMarked
package dev.postroom.spring.boot4;

import org.jspecify.annotations.NullMarked;
