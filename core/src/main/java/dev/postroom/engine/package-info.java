/**
 * What decides in a relay, and nothing else: no thread, no clock, no connection. {@link dev.postroom.engine.Engine} is told
 * what happened ({@link dev.postroom.engine.Event}) and at which {@link dev.postroom.engine.Moment}, and answers with what
 * to do ({@link dev.postroom.engine.Command}). The same code runs behind threads in a {@code Relay}, on the caller's thread
 * in a {@code ManualRelay}, and under a simulator with virtual time. What is read, sent and recorded is decided in
 * {@link dev.postroom.follow}; how lanes are kept, and what a relay tells of itself, here. Public for those three; not an API to build on.
 */
@NullMarked
package dev.postroom.engine;

import org.jspecify.annotations.NullMarked;
