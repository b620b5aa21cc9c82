/** Postroom from the settings of a Spring Boot application, the same for Boot 3.5 and 4. */
@NullMarked
package dev.postroom.spring.boot;

import org.jspecify.annotations.NullMarked;
