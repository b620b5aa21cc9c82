package com.example.boot3;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Places two orders when it starts, and delivers what was published until it is stopped. */
@SpringBootApplication
public class ShopApplication {
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }

    @Bean
    ApplicationRunner customers(Orders orders) {
        return arguments -> {
            orders.place("alice", 1_999);
            orders.place("bob", 4_250);
        };
    }
}
