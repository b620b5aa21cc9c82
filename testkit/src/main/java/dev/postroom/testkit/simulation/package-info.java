/**
 * The relay's engine under a simulator: virtual time, one random seed, and every fault that can be thought of.
 */
@NullMarked
package dev.postroom.testkit.simulation;

import org.jspecify.annotations.NullMarked;
