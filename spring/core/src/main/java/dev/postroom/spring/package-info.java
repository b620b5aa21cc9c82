/**
 * Postroom in a Spring application: an outbox that joins Spring's transactions ({@link dev.postroom.spring.SpringOutbox}),
 * application events that become messages ({@link dev.postroom.spring.OutboxEvent}), and a relay that starts and stops with
 * the application context ({@link dev.postroom.spring.RelayLifecycle}).
 */
@NullMarked
package dev.postroom.spring;

import org.jspecify.annotations.NullMarked;
