package dev.postroom.spring;

/** The same as with Spring 6.2. */
class RelayLifecycleWithSpring7Test extends RelayLifecycleTest {}
