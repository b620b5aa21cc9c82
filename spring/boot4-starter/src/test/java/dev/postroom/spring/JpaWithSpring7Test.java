package dev.postroom.spring;

/** The same as with Spring 6.2. */
class JpaWithSpring7Test extends JpaTest {}
