package com.example.boot3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag("R2")
class ShopApplicationTest {
    @Test
    void orders_are_saved_and_delivered() {
        TestDatabase database = H2.freshDatabase();
        try (ConfigurableApplicationContext context = SpringApplication.run(
                ShopApplication.class,
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password())) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            await().atMost(Duration.ofSeconds(30)).until(() -> count(jdbc, "postroom_archive") == 2);
            assertThat(count(jdbc, "orders")).isEqualTo(2);
        }
    }

    private static long count(JdbcTemplate jdbc, String table) {
        Long count = jdbc.queryForObject("select count(*) from " + table, Long.class);
        return count == null ? -1 : count;
    }
}
