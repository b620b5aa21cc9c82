package dev.postroom.spring.test;

import static dev.postroom.testkit.PostroomAssertions.assertThat;
import static dev.postroom.testkit.PostroomAssertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.test.OrdersApplication.OrderCreated;
import dev.postroom.spring.test.OrdersApplication.Orders;
import dev.postroom.spring.test.OrdersApplication.Warehouse;
import dev.postroom.testkit.Fault;
import dev.postroom.testkit.TestOutbox;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestContextManager;
import org.springframework.transaction.annotation.Transactional;

/** A test of an application as its owners would write it, the same with Spring Boot 3.5 and 4. */
@Tag("R59")
@SpringBootTest(
        classes = OrdersApplication.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:orders_of_the_spring_test_kit;DB_CLOSE_DELAY=-1",
            "postroom.database.migrate=true",
            "postroom.destinations.broker.type=rabbitmq",
            "postroom.destinations.broker.uri=amqp://nowhere.invalid",
            "postroom.routes[0].topic=orders.created",
            "postroom.routes[0].destinations=broker,warehouse",
            "postroom.routes[1].topic=**",
            "postroom.routes[1].destinations=broker",
            // The database's clock runs on while a slow machine drains: nothing may be due again meanwhile.
            "postroom.retry.base=30s",
            "spring.jackson.property-naming-strategy=SNAKE_CASE"
        })
@AutoConfigurePostroomTest
public abstract class OrdersContract {
    @Autowired
    private TestOutbox outbox;

    @Autowired
    private Orders orders;

    @Autowired
    private Warehouse warehouse;

    @Autowired
    private PayloadCodec codec;

    @Autowired
    private ObjectProvider<RelayLifecycle> running;

    @Test
    void order_reaches_the_broker_and_the_warehouse() {
        orders.create("42", 99);
        assertThat(outbox)
                .published("orders.created")
                .withKey("42")
                .withJson("total", 99)
                .once();
        assertThat(outbox.transport("broker")).nothingDelivered(); // no relay runs by itself
        outbox.drain();
        assertThat(outbox.transport("broker"))
                .delivered("orders.created")
                .withType("order.created")
                .once();
        assertThat(warehouse.shipped()).contains(new OrderCreated("42", 99));
        assertThat(outbox).isDrained();
    }

    @Test
    void rolled_back_order_is_not_announced_and_tests_do_not_see_each_others_messages() {
        assertThatThrownBy(() -> orders.fail("7")).hasMessage("failed");
        assertThat(outbox).nothingPublished();
        assertThat(outbox.transport("broker")).nothingDelivered();
    }

    @Test
    void reminder_goes_out_three_days_later() {
        orders.remind("42");
        outbox.drain();
        assertThat(outbox.transport("broker")).nothingDelivered();
        outbox.clock().advance(Duration.ofDays(3));
        outbox.drain();
        assertThat(outbox.transport("broker"))
                .delivered("orders.reminder")
                .withKey("42")
                .once();
    }

    @Test
    void failure_is_tried_again_when_its_time_comes() {
        outbox.faults("broker").next(Fault.failing(FailureReason.DEPENDENCY_FAILURE));
        orders.remind("42");
        outbox.clock().advance(Duration.ofDays(3));
        outbox.drain();
        assertThat(outbox)
                .remaining()
                .withReason(FailureReason.DEPENDENCY_FAILURE)
                .withAttempts(1);
        outbox.clock().advance(Duration.ofMinutes(1));
        outbox.drain();
        assertThat(outbox.transport("broker")).delivered("orders.reminder").withAttempts(2);
    }

    /** Never run as a test itself: its name is none that is looked for. */
    @Transactional
    static class InTransaction extends OrdersContract {
        void publishes() {}
    }

    @Test
    void test_in_a_transaction_is_refused_because_it_commits_nothing() throws Exception {
        TestContextManager manager = new TestContextManager(InTransaction.class);
        InTransaction test = new InTransaction();
        Method method = InTransaction.class.getDeclaredMethod("publishes");
        manager.prepareTestInstance(test);
        try {
            assertThatThrownBy(() -> manager.beforeTestMethod(test, method))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("publishes")
                    .hasMessageContaining("NOT_SUPPORTED");
        } finally {
            manager.afterTestMethod(test, method, null);
        }
    }

    @Test
    void no_relay_runs() {
        assertThat(running.getIfAvailable()).isNull();
    }

    @Test
    @Tag("R9")
    void application_has_a_codec_from_its_own_mapper() {
        assertThat(new String(codec.encode(new OrderCreated("1", 2)), StandardCharsets.UTF_8))
                .contains("\"order_id\":\"1\"");
    }
}
