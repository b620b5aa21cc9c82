/** What users decide about delivery: which topics go where, how often to try, and what a failing message does to its key. */
@NullMarked
package dev.postroom.policy;

import org.jspecify.annotations.NullMarked;
