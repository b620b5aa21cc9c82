/**
 * TLS towards brokers and receivers: from PEM files, followed while they are renewed, and what a failed handshake means for
 * whoever has to mend it.
 */
@NullMarked
package dev.postroom.tls;

import org.jspecify.annotations.NullMarked;
