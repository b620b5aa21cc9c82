/** From a request to an answer: who may ask what, how it is read, how answers and refusals are written. */
@NullMarked
package dev.postroom.admin.http;

import org.jspecify.annotations.NullMarked;
