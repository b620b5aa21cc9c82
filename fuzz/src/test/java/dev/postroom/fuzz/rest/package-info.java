/** Requests to a real admin surface, each by everybody who could send it. */
@NullMarked
package dev.postroom.fuzz.rest;

import org.jspecify.annotations.NullMarked;
