/** How values are found that must not be shown: headers by name, parts of JSON by path, and both where errors quote them. */
@NullMarked
package dev.postroom.admin.redact;

import org.jspecify.annotations.NullMarked;
