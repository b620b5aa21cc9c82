/**
 * For tests of applications that use Postroom: an outbox in memory ({@link dev.postroom.testkit.TestOutbox}), a clock that a
 * test sets forward, destinations that record and fail on demand, assertions
 * ({@link dev.postroom.testkit.PostroomAssertions}) and an extension for JUnit.
 *
 * <p>The packages below are for others: {@code contract} for those who write a store or a transport, {@code simulation} for
 * those who change the relay.
 */
@NullMarked
package dev.postroom.testkit;

import org.jspecify.annotations.NullMarked;
