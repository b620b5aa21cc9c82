package dev.postroom.spring.boot;

import javax.sql.DataSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An application with two data sources, one of which may be marked as the outbox's. */
class TwoDataSources {
    private TwoDataSources() {}

    static DataSource dataSource(String url) {
        return new DriverManagerDataSource(url, "sa", "");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Marked {
        @Bean
        DataSource reports() {
            return dataSource("jdbc:h2:mem:reports_of_spring;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @OutboxDataSource
        DataSource orders(Environment environment) {
            return dataSource(environment.getRequiredProperty("spring.datasource.url"));
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Unmarked {
        @Bean
        DataSource reports() {
            return dataSource("jdbc:h2:mem:reports_of_spring;DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource orders(Environment environment) {
            return dataSource(environment.getRequiredProperty("spring.datasource.url"));
        }
    }
}
