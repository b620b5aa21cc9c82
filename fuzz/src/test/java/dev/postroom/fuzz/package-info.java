/**
 * Fuzzing with Jazzer: {@link dev.postroom.fuzz.Target} lists what is fuzzed, {@link dev.postroom.fuzz.Campaign} runs one target in a
 * JVM of its own, and {@link dev.postroom.fuzz.FuzzProgram} is {@code ./postroom fuzz}.
 *
 * <p>All inputs are text that people can read and write (a request, lines of settings, arguments), so that a seed says what it is
 * about, a finding can be read without a tool, and the seed that keeps it repaired can be reviewed. Jazzer's own way, values drawn from bytes,
 * has neither.
 */
@NullMarked
package dev.postroom.fuzz;

import org.jspecify.annotations.NullMarked;
