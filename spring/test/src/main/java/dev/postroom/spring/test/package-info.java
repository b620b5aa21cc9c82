/** For tests of Spring Boot applications that use Postroom. */
@NullMarked
package dev.postroom.spring.test;

import org.jspecify.annotations.NullMarked;
