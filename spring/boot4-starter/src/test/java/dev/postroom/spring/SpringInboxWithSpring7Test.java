package dev.postroom.spring;

/** The same as with Spring 6.2. */
class SpringInboxWithSpring7Test extends SpringInboxTest {}
