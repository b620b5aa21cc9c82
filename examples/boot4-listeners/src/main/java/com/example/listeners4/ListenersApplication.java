package com.example.listeners4;

import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Bills orders that a shop publishes through Postroom, which this application need not know. */
@SpringBootApplication
public class ListenersApplication {
    public static void main(String[] args) {
        SpringApplication.run(ListenersApplication.class, args);
    }

    // in docs/clients.md
    /** Without it the listeners of RabbitMQ get bytes. */
    @Bean
    JacksonJsonMessageConverter json() {
        return new JacksonJsonMessageConverter();
    }
    // until here
}
