package dev.postroom.hibernate;

/** With the Hibernate that Spring Boot 4 brings. */
class HibernateWithBoot4Test extends HibernateOnH2Test {}
