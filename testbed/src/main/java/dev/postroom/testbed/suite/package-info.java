/**
 * Runs the tests of all modules, for {@code ./postroom test}.
 *
 * <p>Maven tests a module only after everything it depends on has been tested, one module after the other, and each with
 * servers of its own. Here Maven only builds. Then {@link dev.postroom.testbed.suite.Suite} hands the test classes of all
 * modules to a few {@linkplain dev.postroom.testbed.suite.TestProgram test JVMs}, which share one server of each kind, and
 * a failing module keeps nobody from being tested. Decision 014 has the reasons.
 */
@NullMarked
package dev.postroom.testbed.suite;

import org.jspecify.annotations.NullMarked;
