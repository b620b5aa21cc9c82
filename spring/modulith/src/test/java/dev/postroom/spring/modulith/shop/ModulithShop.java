package dev.postroom.spring.modulith.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A modular monolith of two modules: orders publishes, stock listens, and others hear of it through the outbox. */
@SpringBootApplication
public class ModulithShop {}
