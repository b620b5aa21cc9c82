/**
 * The words of Postroom: a {@link dev.postroom.Message} on its {@link dev.postroom.Stream}, and what can go wrong.
 *
 * <p>{@code outbox} writes messages, {@code operations} is what operators do, {@code spi} holds the ports that databases
 * and codecs implement, {@code internal} is nobody else's business. Nothing here depends on those.
 */
@NullMarked
package dev.postroom;

import org.jspecify.annotations.NullMarked;
