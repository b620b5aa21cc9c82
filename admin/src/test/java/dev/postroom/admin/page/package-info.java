/** The page in a real browser, against a real server, outbox and relay. */
@NullMarked
package dev.postroom.admin.page;

import org.jspecify.annotations.NullMarked;
