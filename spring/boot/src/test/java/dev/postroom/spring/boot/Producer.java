package dev.postroom.spring.boot;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that only publishes: it has nowhere to deliver to. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class Producer {}
