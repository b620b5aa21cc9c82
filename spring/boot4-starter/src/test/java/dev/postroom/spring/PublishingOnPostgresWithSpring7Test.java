package dev.postroom.spring;

/** The same as with Spring 6.2. */
class PublishingOnPostgresWithSpring7Test extends PublishingOnPostgresTest {}
