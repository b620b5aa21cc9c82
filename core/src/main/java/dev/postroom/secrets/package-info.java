/**
 * What must not leave the process, and how it is kept in. A transport says which values it has to keep
 * ({@link dev.postroom.spi.Transport#secrets()}), and the relay hides them in every error that it stores, logs or shows.
 *
 * <p>Texts are not searched for what looks like a password: nothing tells a password from other text, and one with an
 * {@code @} or a space in it would be cut in the wrong place. Instead the values are known, and looked for
 * ({@link dev.postroom.secrets.Secrets}), and a URL is taken apart before it is shown ({@link dev.postroom.secrets.GuardedUrl}).
 */
@NullMarked
package dev.postroom.secrets;

import org.jspecify.annotations.NullMarked;
