/**
 * The admin surface of the standalone server: Spring Boot around {@code dev.postroom.admin}, and who may use it. Only
 * {@code serve} and {@code demo} come here, so that the other commands start without Spring.
 */
@NullMarked
package dev.postroom.server.web;

import org.jspecify.annotations.NullMarked;
