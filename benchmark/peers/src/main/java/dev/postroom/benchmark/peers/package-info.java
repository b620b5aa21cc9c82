/**
 * Other outboxes, each behind the same small interface: {@code PeerProgram} runs one of them in a process of its own, does a
 * {@code Round} whenever it is told to, and answers with the rates. Two of them are Spring applications that would configure
 * each other and whatever else is on their class path; so none of them is on the benchmark's.
 */
@NullMarked
package dev.postroom.benchmark.peers;

import org.jspecify.annotations.NullMarked;
