package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("R2")
class WithoutBootTest {
    @Test
    void event_is_delivered_by_beans_that_the_application_made() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(WithoutBoot.class)) {
            List<String> delivered = context.getBean(WithoutBoot.class).delivered();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> context.publishEvent(new WithoutBoot.OrderCreated("42", 7)));
            await().atMost(Duration.ofSeconds(30)).until(() -> !delivered.isEmpty());
            assertThat(delivered).containsExactly("OrderCreated[orderId=42, total=7]");
        }
    }
}
