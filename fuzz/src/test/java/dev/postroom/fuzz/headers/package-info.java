/** Header columns as another writer may have filled them. */
@NullMarked
package dev.postroom.fuzz.headers;

import org.jspecify.annotations.NullMarked;
