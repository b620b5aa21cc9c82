/** What the API offers: each class makes the endpoints of one subject. */
@NullMarked
package dev.postroom.admin.rest;

import org.jspecify.annotations.NullMarked;
