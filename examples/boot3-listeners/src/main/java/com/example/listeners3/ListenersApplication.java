package com.example.listeners3;

import org.springframework.amqp.support.converter.Jackson2JsonMessageConverter;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Bills orders that a shop publishes through Postroom, which this application need not know. */
@SpringBootApplication
public class ListenersApplication {
    public static void main(String[] args) {
        SpringApplication.run(ListenersApplication.class, args);
    }

    /** Without it the listeners of RabbitMQ get bytes. */
    @Bean
    Jackson2JsonMessageConverter json() {
        return new Jackson2JsonMessageConverter();
    }
}
