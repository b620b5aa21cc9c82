package dev.postroom.spring;

/** The same as with Spring 6.2. */
class PublishingOnH2WithSpring7Test extends PublishingOnH2Test {}
