package dev.postroom.hibernate;

/** With Hibernate 6.6, which Spring Boot 3.5 brings. */
class HibernateWithBoot3Test extends HibernateOnH2Test {}
