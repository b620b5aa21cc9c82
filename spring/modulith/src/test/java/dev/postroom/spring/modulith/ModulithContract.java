package dev.postroom.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.MessageRejectedException;
import dev.postroom.NoTransactionException;
import dev.postroom.spring.boot.Application;
import dev.postroom.spring.modulith.shop.ModulithShop;
import dev.postroom.spring.modulith.shop.orders.OrderArchived;
import dev.postroom.spring.modulith.shop.orders.OrderPlaced;
import dev.postroom.spring.modulith.shop.orders.OrderTold;
import dev.postroom.spring.modulith.shop.orders.OrderViewed;
import dev.postroom.spring.modulith.shop.orders.Orders;
import dev.postroom.spring.modulith.shop.stock.Stock;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application with Spring Modulith externalizes is in the outbox exactly when its data is in the database. */
@Tag("R1")
@Tag("R2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ModulithContract {
    private ConfigurableApplicationContext context;
    private JdbcTemplate jdbc;
    private Orders orders;

    abstract TestDatabase fresh();

    @BeforeAll
    void start() {
        TestDatabase database = fresh();
        new JdbcTemplate(database.dataSource()).execute("create table shop_order (id varchar(40) primary key)");
        context = Application.of(ModulithShop.class, database)
                .migrating()
                .with("spring.modulith.events.jdbc.schema-initialization.enabled", "true")
                .run();
        jdbc = context.getBean(JdbcTemplate.class);
        orders = context.getBean(Orders.class);
    }

    @AfterAll
    void stop() {
        context.close();
    }

    @BeforeEach
    void forget() {
        jdbc.update("delete from postroom_message");
        jdbc.update("delete from shop_order");
    }

    @Test
    void event_is_one_message_with_target_as_topic_and_its_key() {
        orders.place("1", "alice");
        Map<String, Object> message =
                jdbc.queryForMap("select topic, ordering_key, content_type from postroom_message");
        assertThat(message.values()).containsExactly("orders.placed", "alice", "application/json");
        assertThat(jdbc.queryForList("select payload from postroom_message", byte[].class))
                .singleElement()
                .satisfies(payload ->
                        assertThat(payload).asString().isEqualTo("{\"order\":\"1\",\"customer\":\"alice\"}"));
        assertThat(saved()).containsExactly("1");
    }

    @Test
    void rollback_writes_neither() {
        assertThatThrownBy(() -> orders.placeAndFail("1", "alice")).hasMessage("failed");
        assertThat(topics()).isEmpty();
        assertThat(saved()).isEmpty();
    }

    @Test
    void registry_of_modulith_serves_the_other_modules_and_knows_nothing_of_the_outbox() {
        orders.place("reserved", "alice");
        Stock stock = context.getBean(Stock.class);
        await().atMost(Duration.ofSeconds(30)).until(() -> stock.reserved().contains("reserved"));
        assertThat(topics()).containsExactly("orders.placed");
        assertThat(jdbc.queryForList("select listener_id from event_publication", String.class))
                .isNotEmpty()
                .allSatisfy(listener -> assertThat(listener).contains("Stock"));
    }

    @Test
    void event_that_is_not_externalized_stays_inside() {
        orders.publish(new OrderViewed("1"));
        assertThat(topics()).isEmpty();
    }

    @Test
    @Tag("R4")
    void event_outside_of_a_transaction_is_refused() {
        assertThatThrownBy(() -> orders.publishWithoutTransaction(new OrderPlaced("1", "alice")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(topics()).isEmpty();
    }

    @Test
    void key_that_is_null_is_refused() {
        assertThatThrownBy(() -> orders.publish(new OrderArchived(null)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("#{customer()}")
                .hasMessageContaining("is null");
        assertThat(topics()).isEmpty();
    }

    @Test
    void event_that_says_twice_where_it_goes_is_refused() {
        assertThatThrownBy(() -> orders.publish(new OrderTold("1")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("@OutboxEvent");
        assertThat(topics()).isEmpty();
    }

    private List<String> topics() {
        return jdbc.queryForList("select topic from postroom_message", String.class);
    }

    private List<String> saved() {
        return jdbc.queryForList("select id from shop_order", String.class);
    }
}
