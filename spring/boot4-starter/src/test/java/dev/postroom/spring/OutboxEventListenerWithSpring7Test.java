package dev.postroom.spring;

/** The same as with Spring 6.2. */
class OutboxEventListenerWithSpring7Test extends OutboxEventListenerTest {}
