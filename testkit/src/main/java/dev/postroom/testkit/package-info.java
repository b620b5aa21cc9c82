/** For tests of applications that use Postroom, and the contract suites that every store passes. */
@NullMarked
package dev.postroom.testkit;

import org.jspecify.annotations.NullMarked;
